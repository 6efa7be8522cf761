import { sql } from 'kysely'
import type { Db } from '@/db/client'
import { grantedTable, type ListScope, ownedTotal, ownedWhere } from '@/server/access'
import { offsetOf, type PageRequest } from '@/server/kernel/pagination'
import { type RepositoryRow, repositoryColumns } from '../store'

type CountedRepositoryRow = RepositoryRow & { total: number }

/** Selects a page of the repositories in this scope, by name, with their total. */
export function selectInScope(db: Db, scope: ListScope, page: PageRequest): Promise<CountedRepositoryRow[]> {
  const [owner, ...more] = scope.owners
  if (owner !== undefined && more.length === 0 && !scope.granted) return selectOwned(db, owner, scope, page)
  return selectMixed(db, scope, page)
}

export async function countInScope(db: Db, scope: ListScope): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    with ${grantedTable(scope)} select ${ownedTotal(scope)} + (select count(*) from granted) as total`.execute(
    db,
  )
  return rows[0]?.total ?? 0
}

function selectOwned(
  db: Db,
  ownerId: number,
  scope: ListScope,
  page: PageRequest,
): Promise<CountedRepositoryRow[]> {
  return db
    .selectFrom('repositories')
    .select([...repositoryColumns, ownedTotal(scope).as('total')])
    .where('owner_id', '=', ownerId)
    .where(ownedWhere(scope))
    .orderBy(sql`lower(name)`)
    .limit(page.limit)
    .offset(offsetOf(page))
    .execute()
}

async function selectMixed(db: Db, scope: ListScope, page: PageRequest): Promise<CountedRepositoryRow[]> {
  const offset = offsetOf(page)
  const { rows } = await sql<CountedRepositoryRow>`
    with ${grantedTable(scope)}, found as (
      select id, sort from (
        select own.id, own.sort
        from unnest(${[...scope.owners]}::bigint[]) as owner (id)
        cross join lateral (
          select repositories.id, lower(repositories.name) as sort
          from repositories
          where repositories.owner_id = owner.id and ${ownedWhere(scope)}
          order by lower(repositories.name)
          limit ${offset + page.limit}) own
        union all
        select granted.id, granted.sort from granted) parts
      order by sort, id
      limit ${page.limit} offset ${offset})
    select ${sql.join(repositoryColumns.map(column => sql.ref(column)))},
      ${ownedTotal(scope)} + (select count(*) from granted) as total
    from found join repositories on repositories.id = found.id
    order by found.sort, found.id`.execute(db)
  return rows
}
