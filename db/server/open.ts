import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { columnTypes } from '../column-types'
import type { IdleErrorListener, OpenDatabase } from '../handle'
import { once } from '../once'
import { prepareMarked } from '../prepared'
import type { Database } from '../tables'
import { brandFailures } from '../unavailable'
import { describeServer } from './address'

export interface ServerOptions {
  poolSize?: number | undefined
  onError?: IdleErrorListener | undefined
  /** 0 means no limit, for work that is long by nature. */
  statementTimeoutMs?: number | undefined
}

/**
 * Connects to a PostgreSQL server.
 * @throws {Error} that names host and database but never the password.
 */
export async function openServer(databaseUrl: string, options: ServerOptions = {}): Promise<OpenDatabase> {
  const where = describeServer(databaseUrl)
  const pool = brandFailures(
    new pg.Pool({
      connectionString: databaseUrl,
      max: options.poolSize ?? 10,
      connectionTimeoutMillis: 10_000,
      idleTimeoutMillis: 30_000,
      statement_timeout: options.statementTimeoutMs ?? 30_000,
      application_name: 'guildhall',
      keepAlive: true,
      keepAliveInitialDelayMillis: 60_000,
      types: columnTypes,
    }),
  )
  // Without a listener, a server restart would end the process by way of an idle connection.
  pool.on('error', error => options.onError?.(error))
  pool.on('connect', prepareMarked)

  try {
    const client = await pool.connect()
    client.release()
  } catch (error) {
    await pool.end()
    throw new Error(`cannot connect to the database ${where}: ${reasonOf(error)}`, { cause: error })
  }

  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }) })
  return { db, pool, kind: 'server', close: once(() => pool.end()) }
}

// A refused connection to a name with two addresses is an AggregateError with an empty message.
function reasonOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(reasonOf).join('; ')
  return error instanceof Error ? error.message : String(error)
}
