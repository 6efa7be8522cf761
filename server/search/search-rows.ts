import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '@/db/client'
import { likePattern } from '@/db/sql'

type Condition = RawBuilder<SqlBool>

/**
 * Definition of a searchable set of rows. Words are matched against the table's `search_name` column, which
 * is in lower case.
 */
export interface Shelf<Row> {
  table: 'repositories' | 'users'
  /** Columns that the other conditions and expressions refer to. */
  columns: readonly string[]
  shown: RawBuilder<Row>
  /** Condition that restricts the table to this set in a way that its indexes support. */
  among: Condition
  /** Condition that a row is visible to the caller. */
  visible: Condition
  /**
   * Indexed texts by which rows are sorted. Rows whose first text starts with a word rank before rows whose
   * second text does.
   */
  orders: readonly [first: RawBuilder<string>, second: RawBuilder<string>]
}

/**
 * Finds the first visible rows that contain every word. Rows named exactly like a word rank first, then rows
 * that start with a word, then all others. Common words are found in the first rows of an ordered index, rare
 * ones through the trigram index, so both are fast in large tables. A search with only one- and two-letter
 * words covers only those first rows.
 */
export async function findRows<Row>(
  db: Db,
  shelf: Shelf<Row>,
  terms: readonly string[],
  limit: number,
): Promise<Row[]> {
  const [first, second] = shelf.orders
  const found = new Map<number, Row>()
  const size = Math.ceil(windowSize / terms.length)
  const beginning = [first, second].map(by => ({ by, texts: terms, size }))
  for (const windows of [beginning, [{ by: first, texts: [''], size: windowSize }]]) {
    const { rows, read, fitting } = await readWindows(db, shelf, windows, { terms, limit })
    for (const { id, row } of rows) found.set(id, row)
    if (found.size >= limit) break
    if (read >= (windows[0]?.size ?? 0) && terms.some(hasTriples)) {
      return await readAll(db, shelf, { terms, limit, areCommon: fitting / read > common })
    }
  }
  return [...found.values()].slice(0, limit)
}

/** Maximum number of rows to read per sort order before deciding whether words are common or rare. */
const windowSize = 1_000
/**
 * Share of matching rows above which the trigram index is not used, because it would return nearly all rows.
 */
const common = 0.05

/** The first `size` rows, in one sort order, that start with each of these texts. */
interface Window {
  by: RawBuilder<string>
  texts: readonly string[]
  size: number
}

interface Wanted {
  terms: readonly string[]
  limit: number
}

interface WindowRows<Row> {
  rows: { id: number; row: Row }[]
  /** Number of rows read, and how many of them contain all words, including invisible ones. */
  read: number
  fitting: number
}

async function readWindows<Row>(
  db: Db,
  shelf: Shelf<Row>,
  windows: readonly Window[],
  { terms, limit }: Wanted,
): Promise<WindowRows<Row>> {
  const table = sql.table(shelf.table)
  const parts = windows.flatMap(({ by, texts, size }, index) =>
    texts.map(
      text => sql`(select ${sql.lit(index)} as position, ${by} as sorted, ${columnsOf(shelf)} from ${table}
        where ${shelf.among} and ${text === '' ? sql`true` : startsWith(by, text)}
        order by ${by}, id limit ${sql.lit(size)})`,
    ),
  )
  // The same row can be in several windows.
  const { rows } = await sql<WindowRows<Row>>`
    with read as materialized (${sql.join(parts, sql` union `)}),
      fitting as materialized (select * from read as ${table} where ${hasTerms(shelf, terms)}),
      shown as (
        select ${table}.id, ${shelf.shown} from fitting as ${table} where ${shelf.visible}
        order by ${isNamed(shelf, terms)} desc, position, sorted, id limit ${limit * windows.length})
    select (select count(*) from read) as read, (select count(*) from fitting) as fitting,
      (select coalesce(json_agg(json_build_object('id', shown.id, 'row', to_jsonb(shown) - 'id')), '[]')
        from shown) as rows`.execute(db)
  return rows[0] as WindowRows<Row>
}

// Match words first, because checking the visibility of every row would take far longer.
async function readAll<Row>(
  db: Db,
  shelf: Shelf<Row>,
  { terms, limit, areCommon }: Wanted & { areCommon: boolean },
): Promise<Row[]> {
  const [first, second] = shelf.orders
  const table = sql.table(shelf.table)
  const starts = (by: RawBuilder<string>) => any(terms.map(term => startsWith(by, term)))
  const { rows } = await sql<Row>`
    with fitting as materialized (
      select ${columnsOf(shelf)} from ${table}
      where ${shelf.among} and ${hasTerms(shelf, terms)} and ${areCommon ? sql`true` : hasLetters(shelf, terms)})
    select ${shelf.shown} from fitting as ${table} where ${shelf.visible}
    order by ${isNamed(shelf, terms)} desc, ${starts(first)} desc, ${starts(second)} desc,
      case when ${starts(second)} and not ${starts(first)} then ${second} else ${first} end, id
    limit ${limit}`.execute(db)
  return rows
}

const columnsOf = <Row>({ table, columns }: Shelf<Row>): RawBuilder<unknown> =>
  sql.join(columns.map(column => sql.ref(`${table}.${column}`)))

const textOf = ({ table }: Pick<Shelf<never>, 'table'>): RawBuilder<string> => sql.ref(`${table}.search_name`)

export const hasTerms = (shelf: Pick<Shelf<never>, 'table'>, terms: readonly string[]): Condition =>
  all(terms.map(term => sql`${textOf(shelf)} like ${likePattern(term)}`))

// Words of fewer than three letters have no trigrams, so the index would return every row.
export function hasLetters(shelf: Pick<Shelf<never>, 'table'>, terms: readonly string[]): Condition {
  return all(
    terms.filter(hasTriples).map(term => sql`letter_triples(${textOf(shelf)}) @> letter_triples(${term})`),
  )
}

const hasTriples = (term: string): boolean => [...term].length >= 3

const isNamed = <Row>({ orders: [first] }: Shelf<Row>, terms: readonly string[]): Condition =>
  any(terms.map(term => sql`${first} = lower(${term})`))

const startsWith = (by: RawBuilder<string>, text: string): Condition =>
  sql`${by} like ${likePattern(text, ['', '%'])}`

export const all = (conditions: readonly Condition[]): Condition =>
  conditions.length === 0 ? sql`true` : sql`(${sql.join(conditions, sql` and `)})`

export const any = (conditions: readonly Condition[]): Condition => sql`(${sql.join(conditions, sql` or `)})`
