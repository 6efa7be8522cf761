import type { PGlite } from '@electric-sql/pglite'
import { PglitePgConnection } from '@electric-sql/pglite/node-postgres'
import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { columnTypes } from '../column-types'
import type { Listeners, OpenDatabase } from '../handle'
import { once } from '../once'
import { stateSchema } from '../schema-version'
import { reportSlow } from '../slow-queries'
import type { Database } from '../tables'
import { brandFailures } from '../unavailable'
import { noteFailure } from '../writable'
import { noticingEnd } from './end'
import { paced } from './pace'

/**
 * Opens an embedded engine behind a `pg.Pool`, like a database on a server. Closing it also closes the
 * engine.
 */
export function openSession(
  pglite: PGlite,
  { onError, onSlow }: Listeners = {},
): OpenDatabase & { pglite: PGlite } {
  let hasEnded = false
  let endedBy: (why: Error) => void = () => undefined
  const ended = new Promise<Error>(resolve => (endedBy = resolve))
  const engine = noticingEnd(paced(pglite), why => {
    hasEnded = true
    endedBy(why)
  }) as PGlite
  // Each client gets its own connection object, because a shared one would be closed with the first client
  // that fails.
  class Client extends pg.Client {
    constructor(config: pg.ClientConfig) {
      super({ ...config, connection: new PglitePgConnection({ pglite: engine }) } as pg.ClientConfig)
    }
  }
  const pool = new pg.Pool({
    Client: Client as unknown as new () => pg.ClientBase,
    max: 1,
    idleTimeoutMillis: 0,
    // Code that uses `db` inside a transaction waits for its own connection; the timeout turns this deadlock
    // into an error.
    connectionTimeoutMillis: 10_000,
    types: columnTypes,
    // All clients share the engine's single session, so a new one may find an open transaction of the
    // previous one.
    onConnect: async client => {
      await client.query('rollback')
      await stateSchema(client)
    },
  })
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }), log: reportSlow(onSlow) })
  brandFailures(pool, why => noteFailure(db, why))
  pool.on('error', error => onError?.(error))

  const close = once(async () => {
    await pool.end()
    // An ended engine would write changes from memory to its files that are missing from its log.
    if (!hasEnded) await pglite.close()
  })
  return {
    db,
    pool,
    kind: 'embedded',
    pglite,
    ended,
    close,
  }
}
