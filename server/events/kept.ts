import type { Db } from '@/db/client'
import { hubOf, type Signal } from './hub'
import { type Dependencies, isOutdatedBy, type Shows } from './reach'

/** Bounds what nobody signals, such as times in words and the number of downloads. */
const maxAgeMs = 60_000

/** Something that was made for a visitor. */
export interface Made<T> {
  value: T
  /** Its size in memory at most. */
  bytes: number
  /** Whether other visitors may get it, too. */
  isShared: boolean
  /** IDs of the repositories that it shows. */
  repositories: ReadonlySet<number>
}

/** Responses to visitors without a session or credentials, in the memory of this process. */
export interface Kept<T> {
  /**
   * Returns what was made for this key, or makes it. It was made after all changes that were acknowledged
   * before the call, in this process; another process learns of a change a few milliseconds later. Returns
   * undefined while this process does not learn of changes. A call with `isAlone` neither waits for another that is
   * making this, nor lets others wait for it, because making depends on the client, such as on its turn in a queue.
   */
  get(key: string, shows: Shows, make: () => Promise<Made<T>>, isAlone?: boolean): Promise<T> | undefined
}

interface Entry<T> extends Dependencies {
  made: Made<T>
  until: number
}

interface Making<T> {
  key: string
  shows: Shows
  /** Signals that came meanwhile and may be about what is being made. */
  signals: Signal[]
  value: Promise<T>
}

/** Keeps up to `maxBytes` of responses until a signal says that something on them may have changed. */
export function createKept<T>(db: Db, maxBytes: number): Kept<T> {
  const hub = hubOf(db)
  // The one that was used least recently comes first.
  const entries = new Map<string, Entry<T>>()
  const making = new Set<Making<T>>()
  // Those that later calls may wait for.
  const joinable = new Map<string, Making<T>>()
  let bytes = 0

  hub.listen(signals => {
    for (const signal of signals) {
      for (const [key, entry] of entries) if (isOutdatedBy(entry, signal)) drop(key, entry)
      for (const one of making) {
        if (!isOutdatedBy({ shows: one.shows, repositories: every }, signal)) continue
        one.signals.push(signal)
        // Whoever comes from now on must see the change.
        if (joinable.get(one.key) === one) joinable.delete(one.key)
      }
    }
  })
  setInterval(() => {
    for (const [key, entry] of entries) if (entry.until <= performance.now()) drop(key, entry)
  }, maxAgeMs).unref()

  function drop(key: string, { made }: Entry<T>): void {
    entries.delete(key)
    bytes -= made.bytes
  }

  function keep(key: string, entry: Entry<T>): void {
    const former = entries.get(key)
    if (former) drop(key, former)
    entries.set(key, entry)
    bytes += entry.made.bytes
    for (const [oldest, one] of entries) {
      if (bytes <= maxBytes) break
      drop(oldest, one)
    }
  }

  async function makeFor(one: Making<T>, make: () => Promise<Made<T>>): Promise<T> {
    try {
      const made = await make()
      const entry = {
        shows: one.shows,
        repositories: made.repositories,
        made,
        until: performance.now() + maxAgeMs,
      }
      const isCurrent = hub.linked && !one.signals.some(signal => isOutdatedBy(entry, signal))
      // Without a repository, no signal of one would drop it.
      const isDroppable = one.shows === 'site' || made.repositories.size > 0
      if (made.isShared && isCurrent && isDroppable) keep(one.key, entry)
      return made.value
    } finally {
      making.delete(one)
      if (joinable.get(one.key) === one) joinable.delete(one.key)
    }
  }

  return {
    get(key, shows, make, isAlone = false) {
      if (!hub.linked) return undefined
      const known = entries.get(key)
      if (known && known.until > performance.now()) {
        entries.delete(key)
        entries.set(key, known)
        return Promise.resolve(known.made.value)
      }
      const running = isAlone ? undefined : joinable.get(key)
      if (running) return running.value
      const value = Promise.resolve().then(() => makeFor(one, make))
      const one: Making<T> = { key, shows, signals: [], value }
      making.add(one)
      if (!isAlone) joinable.set(key, one)
      return value
    },
  }
}

// Which repositories something shows is known only when it is made.
const every = { has: () => true }
