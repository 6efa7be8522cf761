import { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { unavailableDatabase } from '../unavailable'

export interface WatchOptions {
  /** Time in milliseconds for which a statement can wait before the server is checked. */
  slowMs?: number
  /** Time in milliseconds that the server has to respond to the check. */
  answerMs?: number
  /** Interval in milliseconds between checks of a server that does not respond. */
  againMs?: number
  /** Checks over a new connection whether the server responds; replaceable for tests. */
  ask?: (databaseUrl: string, answerMs: number) => Promise<boolean>
}

const defaults = { slowMs: 3_000, answerMs: 5_000, againMs: 500 }

/** A statement, or a request for a connection, that waits for the server. */
interface Waiting {
  since: number
  /** Makes it fail. */
  end(): void
}

/**
 * Fails pending and new statements while a server does not respond, for example because it is suspended or
 * its network connection is interrupted. Slow statements continue: while one is slow, the server is checked
 * over a separate connection, and it counts as unresponsive only if no other statement completed in the
 * meantime. `silent` is called once each time the server becomes unresponsive. Returns a function that stops
 * the watch.
 */
export function watchServer(
  pool: pg.Pool,
  databaseUrl: string,
  silent: (error: Error) => void,
  options: WatchOptions = {},
): () => void {
  const { slowMs, answerMs, againMs, ask } = { ...defaults, ask: answers, ...options }
  const waiting = new Set<Waiting>()
  let heardAt = -Infinity
  let isSilent = false
  let isAsking = false
  let askedAt = -Infinity
  let isOver = false

  async function noting<T>(work: Promise<T>, end: () => void): Promise<T> {
    const entry = { since: performance.now(), end }
    waiting.add(entry)
    try {
      return await work
    } finally {
      waiting.delete(entry)
    }
  }
  // The pool hands out idle connections without contacting the server, so only statements prove that it
  // responds.
  async function hearing<T>(statement: Promise<T>): Promise<T> {
    try {
      const result = await statement
      heardAt = performance.now()
      return result
    } catch (error) {
      if (error instanceof pg.DatabaseError) heardAt = performance.now()
      throw error
    }
  }
  const connect = pool.connect.bind(pool) as () => Promise<pg.PoolClient>
  pool.connect = (async () => {
    if (isSilent) throw notAnswering()
    const connecting = connect()
    return await new Promise<pg.PoolClient>((resolve, reject) => {
      let isWanted = true
      const give = (client: pg.PoolClient): void => (isWanted ? resolve(client) : client.release())
      const giveUp = (): void => {
        isWanted = false
        reject(notAnswering())
      }
      noting(connecting, giveUp).then(give, reject)
    })
  }) as unknown as pg.Pool['connect']
  pool.on('connect', client => {
    const query = client.query.bind(client) as (...args: unknown[]) => unknown
    client.query = ((...args: unknown[]) => {
      const result = query(...args)
      // Ending the client closes the connection immediately while a statement waits, which makes the
      // statement fail.
      return result instanceof Promise ? noting(hearing(result), () => void client.end()) : result
    }) as pg.PoolClient['query']
  })

  async function look(): Promise<void> {
    const [oldest] = waiting
    const now = performance.now()
    if (isAsking || !oldest || now - Math.max(oldest.since, askedAt) < slowMs) return
    isAsking = true
    askedAt = now
    while (!isOver && !(await isHeard())) {
      if (!isSilent) silent(notAnswering())
      isSilent = true
      for (const { end } of waiting) end()
      await delay(againMs, undefined, { ref: false })
    }
    isSilent = false
    isAsking = false
  }
  // A busy server can be slow to accept a new connection and still respond on existing ones.
  async function isHeard(): Promise<boolean> {
    const begun = performance.now()
    return (await ask(databaseUrl, answerMs)) || heardAt >= begun
  }
  const timer = setInterval(() => void look(), Math.min(1_000, slowMs)).unref()
  return () => {
    isOver = true
    clearInterval(timer)
  }
}

const notAnswering = (): Error => unavailableDatabase('away', 'the database is not responding')

/** Returns whether the server responds to a new connection, even with an error. */
async function answers(connectionString: string, answerMs: number): Promise<boolean> {
  const socket = new Socket().unref()
  const client = new pg.Client({
    connectionString,
    application_name: 'guildhall-watch',
    connectionTimeoutMillis: answerMs,
    query_timeout: answerMs,
    stream: () => socket,
  })
  client.on('error', () => undefined)
  try {
    await client.connect()
    await client.query('select 1')
    return true
  } catch (error) {
    return error instanceof pg.DatabaseError
  } finally {
    socket.destroy()
  }
}
