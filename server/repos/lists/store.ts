import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '@/db/client'
import { anyOf } from '@/db/sql'
import { grantedTable, type ListScope, ownedTotal, ownedWhere } from '@/server/access'
import { offsetOf, type PageRequest } from '@/server/kernel/pagination'
import { type RepositoryRow, repositoryColumns } from '../store'
import { isLike, type Narrowing, type Sort, sortColumns } from './search-store'

type CountedRepositoryRow = RepositoryRow & { total: number }

/** The order of a repository list, with an optional filter for the repositories in its scope. */
export interface ScopeChoice {
  sort: Sort
  /** Absent if all repositories of the scope are listed. */
  narrowing?: Narrowing | undefined
}

const allByName: ScopeChoice = { sort: { by: 'name', direction: 'asc' } }

/**
 * Selects a page of the repositories in a list scope, such as those of one owner, with their total number. By
 * default, selects all of them, ordered by name.
 */
export function selectInScope(
  db: Db,
  scope: ListScope,
  page: PageRequest,
  choice = allByName,
): Promise<CountedRepositoryRow[]> {
  const [owner, ...more] = scope.owners
  if (owner !== undefined && more.length === 0 && !scope.granted) {
    return selectOwned(db, owner, { scope, choice, page })
  }
  return selectMixed(db, { scope, choice, page })
}

export async function countInScope(db: Db, scope: ListScope, choice = allByName): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    with ${grantedTable(scope)} select ${ownedCount(scope, choice)} + ${grantedCount(choice)} as total`.execute(
    db,
  )
  return rows[0]?.total ?? 0
}

interface Wanted {
  scope: ListScope
  choice: ScopeChoice
  page: PageRequest
}

function selectOwned(
  db: Db,
  ownerId: number,
  { scope, choice, page }: Wanted,
): Promise<CountedRepositoryRow[]> {
  return db
    .selectFrom('repositories')
    .select([...repositoryColumns, ownedCount(scope, choice).as('total')])
    .where('owner_id', '=', ownerId)
    .where(ownedWhere(scope))
    .where(like(choice))
    .orderBy(ownOrder(choice))
    .limit(page.limit)
    .offset(offsetOf(page))
    .execute()
}

async function selectMixed(db: Db, { scope, choice, page }: Wanted): Promise<CountedRepositoryRow[]> {
  const offset = offsetOf(page)
  const direction = directionIn(choice)
  const sorted = sortColumns[choice.sort.by]
  const { rows } = await sql<CountedRepositoryRow>`
    with ${grantedTable(scope)}, found as (
      select id, sort from (
        select own.id, own.sort
        from unnest(${[...scope.owners]}::bigint[]) as owner (id)
        cross join lateral (
          select repositories.id, ${sorted} as sort
          from repositories
          where repositories.owner_id = owner.id and ${ownedWhere(scope)} and ${like(choice)}
          order by ${ownOrder(choice)}
          limit ${offset + page.limit}) own
        union all
        select repositories.id, ${sorted} as sort
        from granted join repositories on repositories.id = granted.id where ${like(choice)}) parts
      order by sort ${direction}, id ${direction}
      limit ${page.limit} offset ${offset})
    select ${sql.join(repositoryColumns.map(column => sql.ref(column)))},
      ${ownedCount(scope, choice)} + ${grantedCount(choice)} as total
    from found join repositories on repositories.id = found.id
    order by found.sort ${direction}, found.id ${direction}`.execute(db)
  return rows
}

const like = ({ narrowing }: ScopeChoice): RawBuilder<SqlBool> => (narrowing ? isLike(narrowing) : sql`true`)

const directionIn = ({ sort }: ScopeChoice): RawBuilder<unknown> => sql.raw(sort.direction)

// Orders the repositories of one owner. Their names are unique, and the index on names does not include the
// ID, so sorting by name adds no ID.
function ownOrder(choice: ScopeChoice): RawBuilder<unknown> {
  const direction = directionIn(choice)
  const { by } = choice.sort
  const first = sql`${sortColumns[by]} ${direction}`
  return by === 'name' || by === 'id' ? first : sql`${first}, repositories.id ${direction}`
}

// Stored counts exist only for unfiltered lists.
const ownedCount = (scope: ListScope, choice: ScopeChoice): RawBuilder<number> =>
  choice.narrowing
    ? sql<number>`(
        select count(*) from repositories
        where repositories.owner_id = ${anyOf(scope.owners)} and ${ownedWhere(scope)} and ${like(choice)})`
    : ownedTotal(scope)

const grantedCount = (choice: ScopeChoice): RawBuilder<number> =>
  choice.narrowing
    ? sql<number>`(
        select count(*) from granted join repositories on repositories.id = granted.id where ${like(choice)})`
    : sql<number>`(select count(*) from granted)`
