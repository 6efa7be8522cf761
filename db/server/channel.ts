import { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { joinSessions } from '../advisory-lock'

/** By this, processes on one server tell each other short texts. What is sent while the server is away is lost. */
export interface Channel {
  /**
   * Sends these to everybody who listens, this process too, outside of any transaction of its own. Each has less than 8,000
   * bytes. Gives false where they could not be sent.
   */
  send(texts: readonly string[]): Promise<boolean>
  /** Ends it; nothing is heard from then on. */
  close(): Promise<void>
}

export interface ChannelListener {
  /** Called when it listens, for the first time or again, with whether nobody else does. */
  open(isAlone: boolean): void
  text(text: string): void
  /** Called once for each connection that was lost or could not be made. */
  lost(reason: string): void
}

export interface ChannelOptions {
  /** How often the server is asked whether it is still there, and how long it may take to answer. */
  pingMs?: number
  answerMs?: number
  /** The longest wait between two attempts to connect. */
  maxWaitMs?: number
}

const defaults = { pingMs: 30_000, answerMs: 10_000, maxWaitMs: 5_000 }

/** A connection that was lost without a word may go unnoticed for so long. */
export const longestDeafMs = defaults.pingMs + defaults.answerMs

/**
 * Opens a channel on a connection of its own, none of the pool's, and opens it again whenever it is lost, for as long as it
 * takes.
 */
export function openChannel(
  databaseUrl: string,
  name: string,
  listener: ChannelListener,
  options: ChannelOptions = {},
): Channel {
  const { pingMs, answerMs, maxWaitMs } = { ...defaults, ...options }
  const closing = new AbortController()
  let listening: pg.Client | undefined

  /** Listens until the connection is lost. */
  async function hold(): Promise<void> {
    const socket = new Socket()
    const client = new pg.Client({
      connectionString: databaseUrl,
      application_name: 'guildhall-signals',
      connectionTimeoutMillis: answerMs,
      query_timeout: answerMs,
      stream: () => socket,
    })
    const over = new AbortController()
    const until = AbortSignal.any([over.signal, closing.signal])
    const lost = new Promise<never>((_, reject) => {
      until.addEventListener('abort', () => reject(until.reason))
    })
    // A connection may fail more than once.
    client.on('error', error => over.abort(error))
    client.once('end', () => over.abort(new Error('the connection ended')))

    async function listen(): Promise<void> {
      await client.connect()
      client.on('notification', ({ payload = '' }) => listener.text(payload))
      await client.query(`listen ${name}`)
      const isAlone = await joinSessions(client, name)
      until.throwIfAborted()
      listening = client
      listener.open(isAlone)
      for (;;) {
        await delay(pingMs, undefined, { ref: false, signal: until })
        await client.query('select 1')
      }
    }

    try {
      // Once for each connection: what waits for `lost` is kept for as long as that lasts.
      await Promise.race([listen(), lost])
    } finally {
      listening = undefined
      over.abort()
      // Saying goodbye to a server that is gone would wait for its answer.
      socket.destroy()
    }
  }

  async function holdOn(): Promise<void> {
    let waitMs = 0
    while (!closing.signal.aborted) {
      const began = performance.now()
      await hold().catch(error => {
        if (!closing.signal.aborted) listener.lost(error instanceof Error ? error.message : String(error))
      })
      waitMs = performance.now() - began > 2 * maxWaitMs ? 50 : Math.min(maxWaitMs, 2 * waitMs || 50)
      const wait = delay(waitMs * (0.5 + Math.random() / 2), undefined, { signal: closing.signal })
      await wait.catch(() => undefined)
    }
  }

  const held = holdOn()
  return {
    async send(texts) {
      try {
        if (!listening) return false
        await listening.query('select pg_notify($1, text) from unnest($2::text[]) text', [name, texts])
        return true
      } catch {
        return false
      }
    },
    async close() {
      closing.abort()
      await held
    },
  }
}
