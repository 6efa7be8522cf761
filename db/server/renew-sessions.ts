import type pg from 'pg'
import type { Unavailability } from '../unavailable'

// So short a time it may take until a session is usable again, and so often at most all are replaced.
const keptMs = 1_000

/**
 * Makes a pool replace its sessions after a failure that others of them may be about to run into: those with a server that
 * another one has taken over from go on as they are otherwise, and accept no change for as long as they live. Returns what
 * is to be called with each failure.
 */
export function renewSessions(pool: pg.Pool): (why: Unavailability) => void {
  const openedAt = new WeakMap<pg.PoolClient, number>()
  let usableSince = -Infinity
  pool.on('connect', client => void openedAt.set(client, performance.now()))

  const connect = pool.connect.bind(pool) as () => Promise<pg.PoolClient>
  pool.connect = (async () => {
    for (;;) {
      const client = await connect()
      if ((openedAt.get(client) ?? Infinity) >= usableSince) return client
      client.release(true)
    }
  }) as unknown as pg.Pool['connect']

  return why => {
    // A full disk is that of the server, whoever asks it.
    if (why === 'away' || why === 'readOnly') usableSince = performance.now() - keptMs
  }
}
