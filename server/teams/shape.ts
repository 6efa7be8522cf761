import { type Expression, type SqlBool, sql } from 'kysely'
import { offsetOf, type PageRequest } from '@/server/kernel/pagination'

/** What a list holds: `part` of the rows of a table, which has an index in the order of the list. */
export interface Proportion {
  part: number
  whole: number
}

/**
 * Is it less work to walk the whole in its order, looking at each row whether it is of the part, than to sort the part?
 * Neither is right for all: the first is lost in a large whole that has little of the part, the second in a large part.
 * The database would have to guess it from statistics, which the embedded one does not gather by itself.
 */
export function walksWhole({ part, whole }: Proportion, page: PageRequest): boolean {
  if (part === 0) return false
  const wanted = offsetOf(page) + page.limit
  return wanted * (whole / part) <= part
}

/**
 * Does a query about each row find anything? Asked in a way that makes the database neither turn it round nor expect few
 * rows to pass, so that it keeps to the order of the list and stops when the page is full.
 */
export function isFoundBy(query: Expression<unknown>): Expression<SqlBool> {
  return sql<SqlBool>`${query} is not null`
}

/**
 * Is the id among those a query gives? As an array, which is looked up id by id: from a plain `in` the database may come
 * to read the whole table, for want of statistics.
 */
export function isAmong(column: string, ids: Expression<unknown>): Expression<SqlBool> {
  return sql<SqlBool>`${sql.ref(column)} = any (array(${ids}))`
}
