import { type Kysely, sql } from 'kysely'
import type pg from 'pg'
import type { Db } from './handle'
import { migrations, type SchemaMigration } from './migrations'

/** Name of the newest migration that this program knows. */
const known = Object.keys(migrations).at(-1) ?? ''

/**
 * Tells the database, at the start of a session, the newest migration that this program knows. The trigger in
 * `0027-oldest-writer` uses it.
 */
export async function stateSchema(client: pg.ClientBase, schema = known): Promise<void> {
  await client.query(`select set_config('guildhall.schema', $1, false)`, [schema])
}

/** Schema changes that a newer program has made while this program runs. */
export interface SchemaState {
  /** Names of the migrations that this program does not know. */
  newer: string[]
  /** Whether one of them prevents this program from writing. */
  isOutdated: boolean
}

export async function findSchemaState(db: Db): Promise<SchemaState> {
  const { rows } = await sql<{ name: string; oldest: string }>`
    select name, oldest_writer() as oldest from kysely_migration where name > ${known}`.execute(db)
  return { newer: rows.map(row => row.name), isOutdated: rows.some(row => row.oldest > known) }
}

// The migration that creates `oldest_writer()`. Programs older than it do not use the function.
const first = '0027'

/**
 * Extends the migrations that break older programs: as their last step, they raise the oldest migration that
 * a program must know to record events. Transactions in progress finish first, so no older program commits an
 * event afterward.
 */
export function raisingOldestWriter(all: Record<string, SchemaMigration>): Record<string, SchemaMigration> {
  const raising = Object.entries(all).map(([name, migration]) => {
    if (!migration.breaksOlder || name <= first) return [name, migration] as const
    const up = async (db: Kysely<unknown>): Promise<void> => {
      await migration.up(db)
      await raiseOldestWriter(db, name)
    }
    return [name, { ...migration, up }] as const
  })
  return Object.fromEntries(raising)
}

// Acquired after the migration's own locks, because changes also write their event last.
async function raiseOldestWriter(db: Kysely<unknown>, name: string): Promise<void> {
  await sql`lock table events in share row exclusive mode`.execute(db)
  await sql`create or replace function oldest_writer() returns text language sql stable as
    ${sql.lit(`select '${name}'`)}`.execute(db)
}
