import { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { unavailableDatabase } from '../unavailable'

export interface WatchOptions {
  /** Whoever waits longer has the server asked whether it is still there. */
  slowMs?: number
  /** How long it may take to answer that. */
  answerMs?: number
  /** How often one that does not answer is asked again. */
  againMs?: number
  /** Asks it over a new connection, for tests. */
  ask?: (databaseUrl: string, answerMs: number) => Promise<boolean>
}

const defaults = { slowMs: 3_000, answerMs: 5_000, againMs: 500 }

/** A statement, or somebody who wants a connection, that waits for the server. */
interface Waiting {
  since: number
  /** Has it fail. */
  end(): void
}

/**
 * Fails what waits for a server that answers nobody, as one that is halted or behind a dead line, and everything that
 * follows until it answers again. What is only slow goes on: while something is, the server is asked now and then over a
 * connection of its own, and it counts as silent only if nothing else was answered meanwhile either. `silent` is called once
 * each time. Returns how to end it.
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
  // A connection that is free is given without a word of the server, so only statements count.
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
      // Closed at once while a statement waits, which fails.
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
  // One that is busy may take long over a new connection and still answer on those that there are.
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

const notAnswering = (): Error => unavailableDatabase('away', 'the database does not answer')

/** Whether the server says anything to a new connection, be it a refusal. */
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
