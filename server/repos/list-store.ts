import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '@/db/client'
import { offsetOf, type PageRequest } from '@/server/kernel/pagination'
import { type RepositoryRow, repositoryColumns } from './store'

/** Where a list of repositories is drawn from, so that each part of it is read in the order of an index. */
export interface Reach {
  /** Owners of whom the list has everything, or everything public. */
  owners: readonly number[]
  onlyPublic: boolean
  given?: Given
}

/** What one person was given singly, besides what the owners bring in: through these teams, and as a collaborator. */
export interface Given {
  userId: number
  teams: readonly number[]
  ofOwner?: number
  only?: 'private' | 'open'
}

export type CountedRepositoryRow = RepositoryRow & { total: number }

/** A page of what this reaches, by name. */
export function selectReached(db: Db, reach: Reach, page: PageRequest): Promise<CountedRepositoryRow[]> {
  const [owner, ...more] = reach.owners
  if (owner !== undefined && more.length === 0 && !reach.given) return selectOwned(db, owner, reach, page)
  return selectMixed(db, reach, page)
}

export async function countReached(db: Db, reach: Reach): Promise<number> {
  const { rows } = await sql<{ total: number }>`
    with ${givenOf(reach)} select ${ownedTotal(reach)} + (select count(*) from given) as total`.execute(db)
  return rows[0]?.total ?? 0
}

function selectOwned(
  db: Db,
  ownerId: number,
  reach: Reach,
  page: PageRequest,
): Promise<CountedRepositoryRow[]> {
  return db
    .selectFrom('repositories')
    .select([...repositoryColumns, ownedTotal(reach).as('total')])
    .where('owner_id', '=', ownerId)
    .where(publicIf(reach.onlyPublic))
    .orderBy(sql`lower(name)`)
    .limit(page.limit)
    .offset(offsetOf(page))
    .execute()
}

async function selectMixed(db: Db, reach: Reach, page: PageRequest): Promise<CountedRepositoryRow[]> {
  const offset = offsetOf(page)
  const { rows } = await sql<CountedRepositoryRow>`
    with ${givenOf(reach)}, found as (
      select id, sort from (
        select own.id, own.sort
        from unnest(${[...reach.owners]}::bigint[]) as owner (id)
        cross join lateral (
          select repositories.id, lower(repositories.name) as sort
          from repositories
          where repositories.owner_id = owner.id and ${publicIf(reach.onlyPublic)}
          order by lower(repositories.name)
          limit ${offset + page.limit}) own
        union all
        select given.id, given.sort from given) parts
      order by sort, id
      limit ${page.limit} offset ${offset})
    select ${sql.join(repositoryColumns.map(column => sql.ref(column)))},
      ${ownedTotal(reach)} + (select count(*) from given) as total
    from found join repositories on repositories.id = found.id
    order by found.sort, found.id`.execute(db)
  return rows
}

// The owners' counts are kept with them; only what was given singly has to be counted.
const ownedTotal = ({ owners, onlyPublic }: Reach): RawBuilder<number> => sql<number>`(
  select coalesce(sum(${sql.ref(onlyPublic ? 'public_repository_count' : 'repository_count')}), 0)::bigint
  from users where users.id = any (${[...owners]}::bigint[]))`

function givenOf({ owners, given }: Reach): RawBuilder<unknown> {
  const columns = sql`select repositories.id, lower(repositories.name) as sort from repositories`
  if (!given) return sql`given as (${columns} where false)`
  const place =
    given.ofOwner === undefined
      ? sql`repositories.owner_id <> all (${[...owners]}::bigint[])`
      : sql`repositories.owner_id = ${given.ofOwner}`
  return sql`given as materialized (
    ${columns}
    join (
      select team_repositories.repository_id
      from team_repositories
      where team_repositories.team_id = any (${[...given.teams]}::bigint[])
      union
      select repository_collaborators.repository_id
      from repository_collaborators
      where repository_collaborators.user_id = ${given.userId}) held on held.repository_id = repositories.id
    where ${place} and ${kindOf(given.only)})`
}

function kindOf(only: Given['only']): RawBuilder<SqlBool> {
  if (only === 'private') return sql`repositories.is_private`
  if (only === undefined) return sql`true`
  return sql`(not repositories.is_private
    and exists (select from users where users.id = repositories.owner_id and users.visibility = 'public'))`
}

// Literally, as the partial index has it: the planner does not look into a parameter.
const publicIf = (onlyPublic: boolean): RawBuilder<SqlBool> =>
  onlyPublic ? sql`not repositories.is_private` : sql`true`
