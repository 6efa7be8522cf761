import { sql } from 'kysely'
import type { Db } from '../handle'
import type { RowCounts } from './format'

/** Counts the rows of each table in a single statement, so that all counts are from the same moment. */
export async function countRows(db: Db, tables: string[]): Promise<RowCounts> {
  if (tables.length === 0) return {}
  const counts = tables.map(
    name => sql`select ${sql.lit(name)} as name, count(*) as rows from ${sql.id(name)}`,
  )
  const { rows } = await sql<{ name: string; rows: number }>`${sql.join(counts, sql` union all `)}`.execute(
    db,
  )
  return Object.fromEntries(rows.map(row => [row.name, row.rows]))
}

/** Describes each table whose row counts differ; empty if all counts match. */
export function differences(expected: RowCounts, found: RowCounts): string[] {
  const names = [...new Set([...Object.keys(expected), ...Object.keys(found)])]
  return names
    .filter(name => expected[name] !== found[name])
    .map(name => `${name} has ${found[name] ?? 0} rows instead of ${expected[name] ?? 0}`)
}
