import type { PoolClient } from 'pg'
import type { OpenDatabase } from './handle'
import { refusePools } from './unavailable'

/**
 * Makes every session of a database reject changes from now on, with the reason `maintenance`. Reads go on.
 */
export function refuseChanges({ pool }: Pick<OpenDatabase, 'pool'>): void {
  const closed = new WeakSet<PoolClient>()
  refusePools.add(pool)
  // A session sends its statements in order, so this one precedes those of the code that acquired it.
  pool.on('acquire', client => {
    if (closed.has(client)) return
    closed.add(client)
    // If it fails, so does everything that follows.
    client.query('set default_transaction_read_only = on').catch(() => undefined)
  })
}
