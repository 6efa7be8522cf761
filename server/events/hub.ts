import type { Db } from '@/db/client'
import { afterCommit } from '@/db/transaction'
import { singleton } from '@/server/kernel/singleton'
import type { EventKind, Notice } from './catalogue'

/** Says that an event was recorded. */
export interface EventSignal {
  id: number
  kind: EventKind
  ownerId: number | null
  /** Where it happened, or what it is about. */
  repositoryId: number | null
  /** Who was given or lost something by it, besides the owner. */
  personId?: number
  /** It waits in an outbox; other processes are not told. */
  isQueued?: true
}

/** Says that signals from elsewhere may have been missed. */
export interface Missed {
  kind: 'missed'
}

export type Signal = EventSignal | Notice | Missed

/** Where it happened: in this process or in another one on the same database. */
type Source = 'here' | 'elsewhere'

type Listener = (signals: readonly Signal[], source: Source) => void

/** Tells of what was recorded or announced, after its commit, whoever listens in this process. */
export interface EventHub {
  /** Tells those who listen. What fails in one of them is a warning of the process, and keeps nothing from the others. */
  publish(signals: readonly Signal[], source?: Source): void
  /**
   * Calls `listener`, which must return at once, until the function returned is called. What happened around a crash it is
   * never told, so who must not miss anything also looks from time to time.
   */
  listen(listener: Listener): () => void
}

/** Returns the hub of an opened database: handles, plugins and transactions made from one share it. */
export function hubOf(db: Db): EventHub {
  const hubs = singleton('event hubs', () => new WeakMap<object, EventHub>())
  // The one part of a handle that all handles made from it have in common.
  const { adapter } = db.getExecutor()
  const known = hubs.get(adapter)
  if (known) return known
  const made = createHub()
  hubs.set(adapter, made)
  return made
}

/** Tells of something that is kept nowhere, after the commit of what it says, and once however often a transaction says it. */
export function announce(db: Db, notice: Notice): void {
  afterCommit(db, () => hubOf(db).publish([notice]), JSON.stringify(notice))
}

function createHub(): EventHub {
  const listeners = new Set<Listener>()
  return {
    publish(signals, source = 'here') {
      for (const listener of listeners) {
        try {
          listener(signals, source)
        } catch (error) {
          process.emitWarning(error instanceof Error ? error : String(error))
        }
      }
    },
    listen(listener) {
      const own: Listener = (signals, source) => listener(signals, source)
      listeners.add(own)
      return () => listeners.delete(own)
    },
  }
}
