import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { columnTypes } from '../column-types'
import type { Listeners, OpenDatabase } from '../handle'
import { once } from '../once'
import { prepareMarked } from '../prepared'
import { stateSchema } from '../schema-version'
import { reportSlow } from '../slow-queries'
import type { Database } from '../tables'
import { brandFailures } from '../unavailable'
import { noteFailure } from '../writable'
import { Connection } from './connection'
import { noticingEnd } from './end'
import type { Engine } from './engine'

/**
 * Opens an embedded engine behind a `pg.Pool`, like a database on a server. Closing it also closes the
 * engine.
 */
export function openSession(
  engine: Engine,
  { onError, onSlow }: Listeners = {},
): OpenDatabase & { engine: Engine } {
  let endedBy: (why: Error) => void = () => undefined
  const ended = new Promise<Error>(resolve => (endedBy = resolve))
  const noticing = noticingEnd(engine, why => endedBy(why))
  const pool = new pg.Pool({
    stream: () => new Connection(noticing),
    ssl: false,
    user: 'postgres',
    max: 1,
    idleTimeoutMillis: 0,
    // Code that uses `db` inside a transaction waits for its own connection; the timeout turns this deadlock
    // into an error.
    connectionTimeoutMillis: 10_000,
    types: columnTypes,
    // All clients share the engine's single session, so a new one may find an open transaction and prepared
    // statements of the previous one.
    onConnect: async client => {
      await client.query('rollback; deallocate all')
      await stateSchema(client)
      prepareMarked(client as pg.PoolClient)
    },
  })
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }), log: reportSlow(onSlow) })
  brandFailures(pool, why => noteFailure(db, why))
  pool.on('error', error => onError?.(error))

  const close = once(async () => {
    await pool.end()
    await noticing.close()
  })
  return { db, pool, kind: 'embedded', engine, ended, close }
}
