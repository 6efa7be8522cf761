import { type Expression, type RawBuilder, type SelectQueryBuilder, type SqlBool, sql } from 'kysely'

/** The right side of `column = any(…)`: one parameter, however many ids there are. */
export const anyOf = (ids: readonly number[]): RawBuilder<number> => sql<number>`any (${[...ids]}::bigint[])`

/** The same, as a plain value where there is one: what is mostly asked for one is planned as before. */
export const oneOf = (ids: readonly number[]): RawBuilder<number> =>
  ids.length === 1 ? sql<number>`${ids[0]}` : anyOf(ids)

/**
 * `column = any(array(subquery))`: forces an index lookup per id, where the planner lacks statistics and may come to read the
 * whole table for a plain `in`.
 */
export const inSubquery = (column: string, ids: Expression<unknown>): RawBuilder<SqlBool> =>
  sql<SqlBool>`${sql.ref(column)} = any (array(${ids}))`

/** How many rows a query without a selection finds. */
export async function countRows<DB, TB extends keyof DB>(
  query: SelectQueryBuilder<DB, TB, object>,
): Promise<number> {
  const counted = query.select(sql<number>`count(*)`.as('count')).$castTo<{ count: number }>()
  return (await counted.executeTakeFirstOrThrow()).count
}

/** A column `total` beside each row of a page: how many rows there are before the limit. */
export const windowTotal = sql<number>`count(*) over ()`.as('total')

interface Written {
  numDeletedRows?: bigint
  numUpdatedRows?: bigint
  numInsertedOrUpdatedRows?: bigint | undefined
}

/** How many rows a deletion, an update or an insertion touched. */
export function affectedRows(result: Written): number {
  return Number(result.numDeletedRows ?? result.numUpdatedRows ?? result.numInsertedOrUpdatedRows ?? 0)
}

/** A pattern for `lower(column) like …`; the database lowers both sides, so that they are lowered alike in every locale. */
export function likePattern(text: string, [before, after] = ['%', '%']): RawBuilder<string> {
  return sql<string>`lower(${before + text.replace(/[\\%_]/g, '\\$&') + after})`
}
