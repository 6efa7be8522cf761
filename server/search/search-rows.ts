import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '@/db/client'
import { likePattern } from '@/db/sql'

type Condition = RawBuilder<SqlBool>

/** Rows to look for words in: their `search_name` is the text, in lower case. */
export interface Shelf<Row> {
  table: 'repositories' | 'users'
  /** What all other parts need. */
  columns: readonly string[]
  shown: RawBuilder<Row>
  /** Narrows the table in a way that its indexes know. */
  among: Condition
  /** Whether the caller may see a row. */
  visible: Condition
  /** Texts by which indexes hold the rows; what begins with a word in the first comes before what does in the second. */
  orders: readonly [first: RawBuilder<string>, second: RawBuilder<string>]
}

/**
 * Finds the first rows that have every word and may be seen: with one of the words for a name, beginning with one, all
 * others. Common words are found among the first rows of an index, rare ones by their letters, so that neither takes long
 * however many rows there are. Words of one or two letters alone are found among those first rows only.
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

/** The rows that are read before it is clear whether words are common or rare. */
const windowSize = 1_000
/** Where so many of the rows have the words, an index of letters would give nearly all of them. */
const common = 0.05

/** The first rows in one order that begin with one of these texts: so many for each. */
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
  /** How many rows were read, and how many of those have all words, visible or not. */
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
  // A row may stand in every window.
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

// First what has the words: to ask of each row whether it may be seen would take far longer.
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

// What is shorter than three letters has no triples, and the index would give every row.
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
