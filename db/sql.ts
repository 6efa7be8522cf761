import { type Expression, type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'

/** Right side of `column = any(…)`, with one parameter for any number of IDs. */
export const anyOf = (ids: readonly number[]): RawBuilder<number> => sql<number>`any (${ids}::bigint[])`

/**
 * Like `anyOf`, but a plain value for a single ID, so that the planner treats this most common case as a
 * simple comparison.
 */
export const oneOf = (ids: readonly number[]): RawBuilder<number> =>
  ids.length === 1 ? sql<number>`${ids[0]}` : anyOf(ids)

/**
 * Condition `column = any(array(subquery))`, which forces an index lookup per ID. For a plain `in`, a planner
 * without statistics might read the whole table.
 */
export const inSubquery = (column: string, ids: Expression<unknown>): RawBuilder<SqlBool> =>
  sql<SqlBool>`${sql.ref(column)} = any (array(${ids}))`

/** Counts the rows of a query that has no selection. */
export async function countRows<DB, TB extends keyof DB>(
  query: SelectQueryBuilder<DB, TB, object>,
): Promise<number> {
  const counted = query.select(sql<number>`count(*)`.as('count')).$castTo<{ count: number }>()
  return (await counted.executeTakeFirstOrThrow()).count
}

/** Column `total` in each row of a page: the number of rows without the limit. */
export const windowTotal = sql<number>`count(*) over ()`.as('total')

interface Written {
  numDeletedRows?: bigint
  numUpdatedRows?: bigint
  numInsertedOrUpdatedRows?: bigint | undefined
}

/** Returns the number of rows that a delete, update or insert changed. */
export function affectedRows(result: Written): number {
  return Number(result.numDeletedRows ?? result.numUpdatedRows ?? result.numInsertedOrUpdatedRows ?? 0)
}

/**
 * Pattern for `lower(column) like …` that matches the text literally. The database lowercases both sides, so
 * that they match in every locale.
 */
export function likePattern(text: string, [before, after] = ['%', '%']): RawBuilder<string> {
  return sql<string>`lower(${before + text.replace(/[\\%_]/g, '\\$&') + after})`
}
