import type { Db } from '@/db/client'
import { isUnavailable } from '@/db/unavailable'
import { type EventSignal, hubOf, type Signal } from '@/server/events'
import type { Clock } from '@/server/kernel/clock'
import type { Logger } from '@/server/kernel/log'
import { authorizeStreams, keyOf, keysOf, type Work } from './authorize'
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
  // With its topic keys.
  const streams = new Map<Stream, readonly string[]>()
  const followers = new Map<string, Set<Stream>>()
  let work = new Map<Stream, Due>()
  // What may have taken access to repositories, the last of each kind and account.
  const losses = new Map<string, Loss>()
  let timer: NodeJS.Timeout | undefined
  let isAuthorizing = false
  let lastAuthorized = 0

  const stopListening = hubOf(db).listen(signals => {
    for (const signal of signals) {
      const entry = recent.add(signal)
      const all = mayTakeAccess(signal)
      for (const stream of concernedBy(signal)) enqueue(stream, { entries: [entry], all })
      if (streams.size === 0 || !mayTakeRepositories(signal)) continue
      losses.set(`${signal.kind} ${signal.ownerId}`, { cursor: entry.cursor, signal })
      schedule()
    }
  })
  const checks = setInterval(checkAll, checkMs).unref()

  function concernedBy(signal: Signal): Iterable<Stream> {
    if (streams.size === 0) return []
    if (signal.kind === 'missed' || signal.kind === 'user.deleted') return streams.keys()
    return new Set(keysOf(signal).flatMap(key => [...(followers.get(key) ?? [])]))
  }

  function enqueue(stream: Stream, { entries = [], all = false, movesOn = false }: Partial<Due>): void {
    const known = work.get(stream)
    const joined = [...(known?.entries ?? []), ...entries]
    const [last] = joined.slice(-1)
    // Limit the backlog: fetch everything instead.
    const kept = joined.length > maxEntries ? [{ cursor: last!.cursor, signal: missedAll }] : joined
    work.set(stream, {
      entries: kept,
      all: all || (known?.all ?? false),
      movesOn: movesOn || (known?.movesOn ?? false),
    })
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
      log[isUnavailable(error) ? 'debug' : 'error'](
        { err: error },
        'cannot ask who may be told; trying again',
      )
      const since = work
      work = due
      for (const [stream, added] of since) enqueue(stream, added)
    }
    isAuthorizing = false
    for (const stream of work.keys()) if (!streams.has(stream)) work.delete(stream)
    if (work.size > 0 || losses.size > 0) schedule(waitMs)
  }

  /** Concerns those who follow repositories of accounts with what may have taken access to them. */
  async function enqueueLosses(): Promise<void> {
    const all = [...losses.values()]
    if (all.length === 0) return
    const followed = [...streams.keys()].flatMap(({ topics }) => [...topics.values()])
    const ids = new Set(followed.flatMap(topic => (topic.topic === 'repository' ? topic.id : [])))
    const owned = await selectOwned(db, [...new Set(all.map(({ signal }) => signal.ownerId))], [...ids])
    for (const { id, ownerId } of owned) {
      const entries = all
        .filter(({ signal }) => signal.ownerId === ownerId)
        .map(({ cursor, signal }) => ({ cursor, signal: { ...signal, repositoryId: id } }))
      for (const stream of followers.get(`repository:${id}`) ?? []) enqueue(stream, { entries, all: true })
    }
    for (const [key, loss] of losses) if (all.includes(loss)) losses.delete(key)
  }

  function checkAll(): void {
    const now = performance.now()
    for (const stream of streams.keys()) {
      if (stream.endsAt <= now) stream.end()
      else enqueue(stream, { all: true, movesOn: true })
    }
  }

  return {
    add(stream, after) {
      const { session } = stream.viewer
      // An event about an account triggers a new check of its streams.
      const own = session ? [keyOf({ topic: 'account' }, session.accountId)] : []
      const keys = [...new Set([...stream.topics.keys(), ...own])]
      streams.set(stream, keys)
      for (const key of keys) followers.set(key, (followers.get(key) ?? new Set()).add(stream))
      const missed = after === undefined ? [] : recent.after(after)
      // The missed signals are not sent yet. Until they are, an interrupted stream resumes before them.
      stream.send({ type: 'following' }, missed && after ? after : recent.cursor())
      if (!missed) stream.send({ type: 'resync', topics: [...stream.topics.values()] })
      const isOurs = ({ signal }: Entry): boolean =>
        signal.kind === 'missed' || keysOf(signal).some(key => keys.includes(key))
      enqueue(stream, { entries: missed?.filter(isOurs) ?? [], all: true })
    },
    remove(stream) {
      for (const key of streams.get(stream) ?? []) {
        const there = followers.get(key)
        there?.delete(stream)
        if (there?.size === 0) followers.delete(key)
      }
      streams.delete(stream)
      work.delete(stream)
    },
    cursor: () => recent.cursor(),
    close() {
      stopListening()
      clearInterval(checks)
      clearTimeout(timer)
      for (const stream of streams.keys()) stream.end()
    },
  }
}

const missedAll = { kind: 'missed' } as const
