import { sql } from 'kysely'
import type { Db } from '../handle'
import { orderByReferences, type Reference } from './table-order'

export interface TableShape {
  name: string
  columns: ColumnShape[]
  primaryKey: string[]
}

export interface ColumnShape {
  name: string
  /** Type as written in a cast: `text[]`, `timestamp with time zone`. */
  type: string
}

/**
 * Returns all tables except Kysely's own, each after the tables it references. Reads them from the PostgreSQL
 * catalog, so that no table is missed.
 */
export async function describeTables(db: Db): Promise<TableShape[]> {
  const { rows } = await sql<TableShape>`
    select c.relname as name,
      (select json_agg(json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod))
          order by a.attnum)
        from pg_attribute a
        where a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = '') as columns,
      coalesce((select json_agg(a.attname order by array_position(i.indkey::int2[], a.attnum))
        from pg_index i join pg_attribute a on a.attrelid = i.indrelid and a.attnum = any (i.indkey::int2[])
        where i.indrelid = c.oid and i.indisprimary), '[]') as "primaryKey"
    from pg_class c
    where ${ownTable}`.execute(db)
  const shapes = new Map(rows.map(shape => [shape.name, shape]))
  const names = orderByReferences([...shapes.keys()], await describeReferences(db))
  return names.map(name => shapes.get(name)!)
}

/** Returns the names of all sequences, including those of identity columns. */
export async function describeSequences(db: Db): Promise<string[]> {
  const { rows } = await sql<{ name: string }>`
    select relname as name from pg_class c
    where relkind = 'S' and relnamespace = current_schema()::regnamespace`.execute(db)
  return rows.map(row => row.name).sort()
}

async function describeReferences(db: Db): Promise<Reference[]> {
  const { rows } = await sql<Reference>`
    select c.relname as "from", target.relname as "to"
    from pg_constraint f
      join pg_class c on c.oid = f.conrelid
      join pg_class target on target.oid = f.confrelid
    where f.contype = 'f' and ${ownTable}`.execute(db)
  return rows
}

// Kysely's migration tables are excluded, because an import runs the migrations first.
const ownTable = sql<boolean>`
  c.relkind in ('r', 'p') and not c.relispartition
    and c.relnamespace = current_schema()::regnamespace
    and c.relname not in ('kysely_migration', 'kysely_migration_lock')`
