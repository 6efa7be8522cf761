import type { Db } from '@/db/client'
import { afterCommit } from '@/db/transaction'
import { singleton } from '@/server/kernel/singleton'
import { withoutFailing } from '@/server/kernel/without-failing'
import type { EventKind, Notice } from './catalogue'

/** Notification to the listeners of the event hub that an event was recorded. */
export interface EventSignal {
  id: number
  kind: EventKind
  ownerId: number | null
  /** The repository in which the event happened or that it is about. */
  repositoryId: number | null
  /** The person other than the owner who gained or lost something through the event. */
  personId?: number
  /** The consumers in whose outboxes the event waits, if any. Signals sent to other processes omit this property. */
  queuedFor?: readonly string[]
}

/** Notification to the listeners of the event hub that signals from other processes may have been lost. */
export interface Missed {
  kind: 'missed'
}

export type Signal = EventSignal | Notice | Missed

/** Where the signaled event happened: in this process, or in another one on the same database. */
type Source = 'here' | 'elsewhere'

type Listener = (signals: readonly Signal[], source: Source) => void

/**
 * Publishes recorded events and notices, which are notifications that are not stored, to the listeners in
 * this process after the transaction has committed.
 */
export interface EventHub {
  /** Whether signals of other processes arrive. If not, `missed` is published once they do again. */
  linked: boolean
  /**
   * Notifies all listeners. If a listener throws, the error becomes a process warning and the other listeners
   * are still notified.
   */
  publish(signals: readonly Signal[], source?: Source): void
  /**
   * Calls `listener` for all signals until the returned function is called. The listener must return quickly.
   * Signals can be lost around a crash, so code that must not miss anything also has to poll.
   */
  listen(listener: Listener): () => void
}

/**
 * Returns the event hub of a database connection. All handles, plugins and transactions derived from the
 * connection share the hub.
 */
export function hubOf(db: Db): EventHub {
  const hubs = singleton('event hubs', () => new WeakMap<object, EventHub>())
  // The only part that all handles derived from one database share.
  const { adapter } = db.getExecutor()
  const known = hubs.get(adapter)
  if (known) return known
  const made = createHub()
  hubs.set(adapter, made)
  return made
}

/**
 * Publishes a notice, which is a notification that is not stored, after the transaction commits. Identical
 * notices in the same transaction are published once.
 */
export function announce(db: Db, notice: Notice): void {
  afterCommit(db, () => hubOf(db).publish([notice]), JSON.stringify(notice))
}

function createHub(): EventHub {
  const listeners = new Set<Listener>()
  return {
    linked: true,
    publish(signals, source = 'here') {
      for (const listener of listeners) withoutFailing(() => listener(signals, source))
    },
    listen(listener) {
      const own: Listener = (signals, source) => listener(signals, source)
      listeners.add(own)
      return () => listeners.delete(own)
    },
  }
}
