import type { Db } from '@/db/client'
import { isUnavailable } from '@/db/unavailable'
import { type EventSignal, hubOf } from '@/server/events'
import type { Clock } from '@/server/kernel/clock'
import type { Logger } from '@/server/kernel/log'
import { authorizeStreams, keysOf, type Work } from './authorize'
import { createFollowers } from './followers'
import { mayTakeAccess, mayTakeRepositories } from './losses'
import { type Entry, rememberRecent } from './recent'
import { selectOwned } from './store'
import type { Stream } from './stream'

interface Services {
  db: Db
  clock: Clock
  log: Logger
}

export interface BoardOptions {
  /** Signals within this time are checked together, except the first. */
  gatherMs?: number
  /** How often to check that all viewers are still signed in and may still follow their topics. */
  checkMs?: number
}

/** Decides for all open streams of a process who receives what. */
export interface Board {
  /** Sends a stream the messages about its topics, starting after a position if one is given. */
  add(stream: Stream, after: string | undefined): void
  remove(stream: Stream): void
  /** The current end position. */
  cursor(): string
  /** Ends all streams. */
  close(): void
}

/** What is pending for a stream, and whether to send a newer position if there is nothing else to send. */
interface Due extends Work {
  movesOn: boolean
}

/** An event that may have taken access to repositories of the account it happened to. */
interface Loss {
  cursor: string
  signal: EventSignal & { ownerId: number }
}

const maxEntries = 200
const retryMs = 1_000

/** Creates the board of a process and starts listening. */
export function createBoard(
  { db, clock, log }: Services,
  { gatherMs = 50, checkMs = 60_000 }: BoardOptions = {},
): Board {
  const recent = rememberRecent(() => clock.now())
  const followers = createFollowers()
  let work = new Map<Stream, Due>()
  // The last event of each kind and account that may have taken access to repositories.
  const losses = new Map<string, Loss>()
  let timer: NodeJS.Timeout | undefined
  let isAuthorizing = false
  let lastAuthorized = 0

  const stopListening = hubOf(db).listen(signals => {
    for (const signal of signals) {
      const entry = recent.add(signal)
      const all = mayTakeAccess(signal)
      for (const stream of followers.concernedBy(signal)) enqueue(stream, { entries: [entry], all })
      if (followers.count() === 0 || !mayTakeRepositories(signal)) continue
      losses.set(`${signal.kind} ${signal.ownerId}`, { cursor: entry.cursor, signal })
      schedule()
    }
  })
  const checks = setInterval(checkAll, checkMs).unref()

  function enqueue(stream: Stream, added: Partial<Due>): void {
    work.set(stream, merged(work.get(stream), added))
    schedule()
  }

  function schedule(waitMs = Math.max(0, lastAuthorized + gatherMs - performance.now())): void {
    if (!isAuthorizing) timer ??= setTimeout(authorizeAll, waitMs)
  }

  async function authorizeAll(): Promise<void> {
    timer = undefined
    isAuthorizing = true
    lastAuthorized = performance.now()
    let due = new Map<Stream, Due>()
    let waitMs = gatherMs
    try {
      await enqueueLosses()
      due = work
      const cursor = recent.cursor()
      work = new Map()
      await authorizeStreams(db, due, clock.now())
      // Everything up to this position was checked, so streams without a message can resume from the newer position.
      for (const [stream, { entries, movesOn }] of due)
        if (entries.length === 0 && movesOn) stream.send({ type: 'following' }, cursor)
    } catch (error) {
      waitMs = retryMs
      const level = isUnavailable(error) ? 'debug' : 'error'
      log[level]({ err: error }, 'cannot check who receives live updates; trying again')
      const since = work
      work = due
      for (const [stream, added] of since) enqueue(stream, added)
    }
    isAuthorizing = false
    for (const stream of work.keys()) if (!followers.has(stream)) work.delete(stream)
    if (work.size > 0 || losses.size > 0) schedule(waitMs)
  }

  async function enqueueLosses(): Promise<void> {
    const all = [...losses.values()]
    if (all.length === 0) return
    for (const { repositoryId, entries } of await lostRepositories(db, all, followers.all()))
      for (const stream of followers.of(`repository:${repositoryId}`)) enqueue(stream, { entries, all: true })
    for (const [key, loss] of losses) if (all.includes(loss)) losses.delete(key)
  }

  function checkAll(): void {
    const now = performance.now()
    for (const stream of followers.all()) {
      if (stream.endsAt <= now) stream.end()
      else enqueue(stream, { all: true, movesOn: true })
    }
  }

  return {
    add(stream, after) {
      const keys = followers.add(stream)
      const missed = after === undefined ? [] : recent.after(after)
      // The missed signals are not sent yet. Until they are, an interrupted stream resumes before them.
      stream.send({ type: 'following' }, missed && after ? after : recent.cursor())
      if (!missed) stream.send({ type: 'resync', topics: [...stream.topics.values()] })
      enqueue(stream, { entries: missed?.filter(entry => concerns(entry, keys)) ?? [], all: true })
    },
    remove(stream) {
      followers.remove(stream)
      work.delete(stream)
    },
    cursor: () => recent.cursor(),
    close() {
      stopListening()
      clearInterval(checks)
      clearTimeout(timer)
      for (const stream of followers.all()) stream.end()
    },
  }
}

const missedAll = { kind: 'missed' } as const

const concerns = ({ signal }: Entry, keys: readonly string[]): boolean =>
  signal.kind === 'missed' || keysOf(signal).some(key => keys.includes(key))

function merged(known: Due | undefined, { entries = [], all = false, movesOn = false }: Partial<Due>): Due {
  const joined = [...(known?.entries ?? []), ...entries]
  const [last] = joined.slice(-1)
  // Limits the backlog: beyond it, the page fetches everything.
  const kept = joined.length > maxEntries ? [{ cursor: last!.cursor, signal: missedAll }] : joined
  return { entries: kept, all: all || (known?.all ?? false), movesOn: movesOn || (known?.movesOn ?? false) }
}

/**
 * Finds the followed repositories of accounts with events that may have taken access to repositories. Returns them with the
 * events as entries about each repository.
 */
async function lostRepositories(
  db: Db,
  losses: readonly Loss[],
  streams: Iterable<Stream>,
): Promise<{ repositoryId: number; entries: Entry[] }[]> {
  const followed = [...streams].flatMap(({ topics }) => [...topics.values()])
  const ids = new Set(followed.flatMap(topic => (topic.topic === 'repository' ? topic.id : [])))
  const owned = await selectOwned(db, [...new Set(losses.map(({ signal }) => signal.ownerId))], [...ids])
  return owned.map(({ id: repositoryId, ownerId }) => ({
    repositoryId,
    entries: losses
      .filter(({ signal }) => signal.ownerId === ownerId)
      .map(({ cursor, signal }) => ({ cursor, signal: { ...signal, repositoryId } })),
  }))
}
