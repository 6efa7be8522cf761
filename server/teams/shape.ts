import { type Expression, type SqlBool, sql } from 'kysely'

/**
 * Is the id among those a query gives? As an array, which is looked up id by id: from a plain `in` the database may come
 * to read the whole table, for want of statistics.
 */
export function isAmong(column: string, ids: Expression<unknown>): Expression<SqlBool> {
  return sql<SqlBool>`${sql.ref(column)} = any (array(${ids}))`
}
