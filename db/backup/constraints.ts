import { type RawBuilder, sql, type Transaction } from 'kysely'
import type { Database } from '../tables'
import type { TableShape } from './catalog'

interface ForeignKey {
  table: string
  name: string
  definition: string
}

/**
 * Runs with foreign keys taken off and triggers silent, then restores them and so checks every row:
 * rows may refer in circles, and a trigger would change what is being restored.
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
  // A table with deferred checks outstanding cannot be altered.
  await sql`set constraints all immediate`.execute(trx)
  for (const { name } of tables) await alter(trx, name, sql`enable trigger user`)
  for (const { table, name, definition } of keys) {
    await alter(trx, table, sql`add constraint ${sql.id(name)} ${sql.raw(definition)}`)
  }
  return result
}

// In the order they were made, which is the order they act in.
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
