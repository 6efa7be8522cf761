import { type RawBuilder, sql, type Transaction } from 'kysely'
import type { Database } from '../tables'
import type { TableShape } from './catalog'

interface ForeignKey {
  table: string
  name: string
  definition: string
}

/**
 * Calls `run` without foreign keys and triggers, then restores them, which checks every row. Rows can
 * reference each other in cycles, and a trigger would change the restored rows.
 */
export async function withoutConstraints<R>(
  trx: Transaction<Database>,
  tables: TableShape[],
  run: () => Promise<R>,
): Promise<R> {
  const keys = await foreignKeys(trx)
  for (const { table, name } of keys) await alter(trx, table, sql`drop constraint ${sql.id(name)}`)
  for (const { name } of tables) await alter(trx, name, sql`disable trigger user`)
  const result = await run()
  // PostgreSQL cannot alter a table that has pending deferred checks.
  await sql`set constraints all immediate`.execute(trx)
  for (const { name } of tables) await alter(trx, name, sql`enable trigger user`)
  for (const { table, name, definition } of keys) {
    await alter(trx, table, sql`add constraint ${sql.id(name)} ${sql.raw(definition)}`)
  }
  return result
}

// Ordered by creation, because that determines the order of their actions.
async function foreignKeys(trx: Transaction<Database>): Promise<ForeignKey[]> {
  const { rows } = await sql<ForeignKey>`
    select c.relname as table, f.conname as name, pg_get_constraintdef(f.oid) as definition
    from pg_constraint f join pg_class c on c.oid = f.conrelid
    where f.contype = 'f' and f.conparentid = 0 and c.relnamespace = current_schema()::regnamespace
    order by f.oid`.execute(trx)
  return rows
}

async function alter(trx: Transaction<Database>, table: string, change: RawBuilder<unknown>): Promise<void> {
  await sql`alter table ${sql.id(table)} ${change}`.execute(trx)
}
