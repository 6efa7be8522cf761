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
import { describeServer } from './address'
import { renewSessions } from './renew-sessions'
import { type WatchOptions, watchServer } from './watch'

export interface ServerOptions extends Listeners {
  poolSize?: number | undefined
  /** Statement timeout in milliseconds; 0 means no limit, for long-running work. */
  statementTimeoutMs?: number | undefined
  /** Newest migration that the sessions claim to know, for tests of older programs. */
  schema?: string | undefined
  watch?: WatchOptions
}

/**
 * Connects to a PostgreSQL server.
 * @throws {Error} that names the host and database, but not the password, if the connection fails.
 */
export async function openServer(databaseUrl: string, options: ServerOptions = {}): Promise<OpenDatabase> {
  const where = describeServer(databaseUrl)
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: options.poolSize ?? 10,
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 30_000,
    // If the host name changes to another server, all connections have moved there after this time.
    maxLifetimeSeconds: 15 * 60,
    statement_timeout: options.statementTimeoutMs ?? 30_000,
    application_name: 'guildhall',
    keepAlive: true,
    keepAliveInitialDelayMillis: 60_000,
    types: columnTypes,
    onConnect: async client => {
      await stateSchema(client, options.schema)
      // Before all listeners of the pool, which have to see its promises: they mark failures, and end what waits
      // for a server that does not respond.
      prepareMarked(client as pg.PoolClient)
    },
  })
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }), log: reportSlow(options.onSlow) })
  const lost = (error: Error): void => options.onError?.(error)
  const stopWatching = watchServer(pool, databaseUrl, lost, options.watch)
  const renew = renewSessions(pool)
  const close = once(async () => {
    stopWatching()
    await pool.end()
  })
  brandFailures(pool, why => {
    renew(why)
    noteFailure(db, why)
  })
  // Without a listener, an idle connection lost in a server restart would crash the process.
  pool.on('error', lost)

  try {
    const client = await pool.connect()
    client.release()
  } catch (error) {
    await close()
    throw new Error(`DATABASE_URL: cannot connect to the database ${where}: ${reasonOf(error)}`, {
      cause: error,
    })
  }

  return { db, pool, kind: 'server', close }
}

// If a host name has two addresses and both refuse, the error is an AggregateError with an empty message.
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ')
  return error instanceof Error ? error.message : String(error)
}
