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
  /** As a cast is written: `text[]`, `timestamp with time zone`. */
  type: string
}

/** All tables with rows of ours, each after the ones it refers to; read from the catalog, so none is forgotten. */
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

/** Every sequence, those behind identity columns included. */
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

// The migrator's own tables stay where they are: an import migrates first.
const ownTable = sql<boolean>`
  c.relkind in ('r', 'p') and not c.relispartition
    and c.relnamespace = current_schema()::regnamespace
    and c.relname not in ('kysely_migration', 'kysely_migration_lock')`
