import type pg from 'pg'
import type { Unavailability } from '../unavailable'

// Sessions younger than this when a failure occurs are kept, so that failures replace all sessions at most
// once in this time. Recovery can take this much longer.
const keptMs = 1_000

/**
 * Makes a pool replace its sessions after a failure that probably affects all of them. For example, after a
 * failover, sessions with the former primary server stay open but reject all changes. Returns a function to
 * call with each failure.
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
    // A full disk affects new sessions too, so replacing sessions does not help.
    if (why === 'away' || why === 'readOnly') usableSince = performance.now() - keptMs
  }
}
