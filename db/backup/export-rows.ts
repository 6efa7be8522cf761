import { type RawBuilder, sql, type Transaction } from 'kysely'
import type { Database } from '../tables'
import type { ColumnShape, TableShape } from './catalog'
import { pageCharacters, pageRows } from './format'

/** Yields the rows of a table as lines of JSON, one page at a time, ordered by primary key. */
export async function* exportRows(trx: Transaction<Database>, table: TableShape): AsyncGenerator<string[]> {
  const order =
    table.primaryKey.length > 0 ? sql`order by ${sql.join(table.primaryKey.map(key => sql.ref(key)))}` : sql``
  await sql`
    declare backup_rows no scroll cursor for
    select to_json(array[${sql.join(table.columns.map(asText))}]::text[])::text as line
    from ${sql.id(table.name)} ${order}`.execute(trx)

  // Starts small, because the size of the rows is not known yet.
  let count = 20
  for (;;) {
    const { rows } = await sql<{ line: string }>`fetch ${sql.lit(count)} from backup_rows`.execute(trx)
    if (rows.length > 0) yield rows.map(row => row.line)
    if (rows.length < count) break
    count = nextCount(rows)
  }
  await sql`close backup_rows`.execute(trx)
}

// The server converts values to text, because JavaScript would truncate timestamps to milliseconds.
function asText({ name, type }: ColumnShape): RawBuilder<unknown> {
  if (type === 'bytea') return sql`translate(encode(${sql.ref(name)}, 'base64'), E'\n', '')`
  return sql`${sql.ref(name)}::text`
}

function nextCount(rows: { line: string }[]): number {
  const characters = rows.reduce((sum, row) => sum + row.line.length, 0)
  const average = Math.max(1, characters / rows.length)
  return Math.max(1, Math.min(pageRows, Math.floor(pageCharacters / average)))
}
