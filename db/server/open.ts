import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { columnTypes } from '../column-types'
import type { IdleErrorListener, OpenDatabase } from '../handle'
import { once } from '../once'
import { prepareMarked } from '../prepared'
import { stateSchema } from '../schema-version'
import type { Database } from '../tables'
import { brandFailures } from '../unavailable'
import { noteFailure } from '../writable'
import { describeServer } from './address'
import { renewSessions } from './renew-sessions'
import { type WatchOptions, watchServer } from './watch'

export interface ServerOptions {
  poolSize?: number | undefined
  onError?: IdleErrorListener | undefined
  /** 0 means no limit, for work that is long by nature. */
  statementTimeoutMs?: number | undefined
  /** The newest migration it claims to know, for tests of older programs. */
  schema?: string | undefined
  watch?: WatchOptions
}

/**
 * Connects to a PostgreSQL server.
 * @throws {Error} that names host and database but never the password.
 */
export async function openServer(databaseUrl: string, options: ServerOptions = {}): Promise<OpenDatabase> {
  const where = describeServer(databaseUrl)
  const pool = new pg.Pool({
    connectionString: databaseUrl,
    max: options.poolSize ?? 10,
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 30_000,
    // Behind a name that leads elsewhere by now, all are with the server that has it.
    maxLifetimeSeconds: 15 * 60,
    statement_timeout: options.statementTimeoutMs ?? 30_000,
    application_name: 'guildhall',
    keepAlive: true,
    keepAliveInitialDelayMillis: 60_000,
    types: columnTypes,
    onConnect: client => stateSchema(client, options.schema),
  })
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) })
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
  // Without a listener, a server restart would end the process by way of an idle connection.
  pool.on('error', lost)
  pool.on('connect', prepareMarked)

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

// A refused connection to a name with two addresses is an AggregateError with an empty message.
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ')
  return error instanceof Error ? error.message : String(error)
}
