import { Socket } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { joinSessions } from '../advisory-lock'

/**
 * Sends short texts between processes that use the same database server. Texts sent while the server is
 * unreachable are lost.
 */
export interface Channel {
  /**
   * Sends texts to all listeners, including this process, outside of any transaction. Each must be shorter
   * than 8,000 bytes. Resolves to false if they could not be sent.
   */
  send(texts: readonly string[]): Promise<boolean>
  /** Closes the channel; no texts are received afterward. */
  close(): Promise<void>
}

export interface ChannelListener {
  /** Called each time the channel starts to listen, with whether it is the only listener. */
  open(isAlone: boolean): void
  text(text: string): void
  /** Called with the reason, once for each connection that was lost or could not be established. */
  lost(reason: string): void
}

export interface ChannelOptions {
  /** Interval between pings of the server, and how long the server can take to respond, in milliseconds. */
  pingMs?: number
  answerMs?: number
  /** Longest wait between two connection attempts, in milliseconds. */
  maxWaitMs?: number
}

const defaults = { pingMs: 30_000, answerMs: 10_000, maxWaitMs: 5_000 }

/** Longest time in milliseconds for which a lost connection can go unnoticed. */
export const longestDeafMs = defaults.pingMs + defaults.answerMs

/**
 * Opens a channel on its own connection, outside the pool. If the connection is lost, reconnects until it
 * succeeds.
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

  /** Connects and listens until the connection is lost. */
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
    // A connection can emit several errors.
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
      // Awaited once per connection, because each wait for `lost` is retained until the connection ends.
      await Promise.race([listen(), lost])
    } finally {
      listening = undefined
      over.abort()
      // Closing gracefully would wait for a response from an unreachable server.
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
