import { type Kysely, sql } from 'kysely'
import type pg from 'pg'
import type { Db } from './handle'
import { migrations, type SchemaMigration } from './migrations'

/** The newest migration that this program knows. */
const known = Object.keys(migrations).at(-1) ?? ''

/** Tells the database, at the beginning of a session, which tables this program knows: see `0027-oldest-writer`. */
export async function stateSchema(client: pg.ClientBase, schema = known): Promise<void> {
  await client.query(`select set_config('guildhall.schema', $1, false)`, [schema])
}

/** What a newer program made of the database while this one runs. */
export interface SchemaState {
  /** The migrations that this program does not know. */
  newer: string[]
  /** Whether one of them keeps this program from writing. */
  isOutdated: boolean
}

export async function findSchemaState(db: Db): Promise<SchemaState> {
  const { rows } = await sql<{ name: string; oldest: string }>`
    select name, oldest_writer() as oldest from kysely_migration where name > ${known}`.execute(db)
  return { newer: rows.map(row => row.name), isOutdated: rows.some(row => row.oldest > known) }
}

// The function that is replaced comes with it; programs that old do not ask.
const first = '0027'

/**
 * Makes those migrations that break older programs say so to the database, as the last thing they do: whoever does not know
 * them records no event anymore. Changes that are under way end first, so none of an older program is committed later.
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

// The lock comes after the migration's own ones: changes write their event last.
async function raiseOldestWriter(db: Kysely<unknown>, name: string): Promise<void> {
  await sql`lock table events in share row exclusive mode`.execute(db)
  await sql`create or replace function oldest_writer() returns text language sql stable as
    ${sql.lit(`select '${name}'`)}`.execute(db)
}
