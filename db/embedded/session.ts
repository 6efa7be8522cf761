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
import { takingTurns } from './turns'

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
  const turns = takingTurns(noticing)
  let clients = 0
  const pool = new pg.Pool({
    stream: () => new Connection(turns),
    ssl: false,
    user: 'postgres',
    // While one client gets its response, the engine executes what the other has sent.
    max: 2,
    idleTimeoutMillis: 0,
    connectionTimeoutMillis: 10_000,
    types: columnTypes,
    onConnect: async client => {
      await prepareSession(client)
      keepNamesApart(client as pg.PoolClient, `-${++clients}`)
      prepareMarked(client as pg.PoolClient)
    },
  })
  let prepared: Promise<void> | undefined
  async function prepareSession(client: pg.ClientBase): Promise<void> {
    const prepare = async (): Promise<void> => {
      // The engine may have had other clients before.
      await client.query('rollback; deallocate all')
      await stateSchema(client)
    }
    prepared ??= prepare().catch(error => {
      prepared = undefined
      throw error
    })
    await prepared
  }
  const db = new Kysely<Database>({ dialect: new PostgresDialect({ pool }), log: reportSlow(onSlow) })
  brandFailures(pool, why => noteFailure(db, why))
  pool.on('error', error => onError?.(error))

  const close = once(async () => {
    await pool.end()
    await noticing.close()
  })
  return { db, pool, kind: 'embedded', engine, ended, close }
}

// All clients share the engine's only session, and so the names of prepared statements, also those of libraries.
function keepNamesApart(client: pg.PoolClient, suffix: string): void {
  const query = client.query.bind(client) as (...args: unknown[]) => unknown
  const named = (first: unknown, ...rest: unknown[]): unknown => {
    if (!hasName(first)) return query(first, ...rest)
    const name = first.name + suffix
    // A query object, rather than the description of one, is used only once.
    return query('submit' in first ? Object.assign(first, { name }) : { ...first, name }, ...rest)
  }
  client.query = named as pg.PoolClient['query']
}

const hasName = (query: unknown): query is { name: string } =>
  typeof query === 'object' && query !== null && 'name' in query && typeof query.name === 'string'
