import { type SelectQueryBuilder, sql, type Transaction } from 'kysely'
import type { Db } from '@/db/client'
import { anyOf, countRows, likePattern, oneOf, windowTotal } from '@/db/sql'
import type { Database } from '@/db/tables'
import { offsetOf, type PageRequest } from '@/server/kernel/pagination'
import { type RepositoryRow, repositoryColumns } from '@/server/repos'
import type { Ended } from '@/server/users'
import type { BrowseRepositoriesInput } from '../schema'
import { type TeamRef, type TeamRow, teamColumns } from '../store'

/**
 * Returns a page of a team's repositories, sorted by name or with the most recently added first. Indexes
 * provide both orders, so a page costs the same for a long list as for a short one. The total is stored in
 * the team's row.
 */
export async function selectRepositories(
  db: Db,
  teamId: number,
  page: PageRequest,
  sort: 'name' | 'newest' = 'name',
): Promise<RepositoryRow[]> {
  const all = db.selectFrom('team_repositories').select('repository_id').where('team_id', '=', teamId)
  const attached = await (sort === 'name'
    ? all.orderBy('name').orderBy('repository_id')
    : all.orderBy('created_at', 'desc').orderBy('repository_id', 'desc')
  )
    .limit(page.limit)
    .offset(offsetOf(page))
    .execute()
  const ids = attached.map(row => row.repository_id)
  const rows = await db
    .selectFrom('repositories')
    .select(repositoryColumns)
    .where('repositories.id', '=', anyOf(ids))
    .execute()
  const found = new Map(rows.map(row => [row.id, row]))
  return ids.flatMap(id => found.get(id) ?? [])
}

/** Returns a page of a team's public repositories, sorted by name, with the total. */
export function selectPublicRepositories(
  db: Db,
  teamId: number,
  page: PageRequest,
): Promise<(RepositoryRow & { total: number })[]> {
  return publicRepositories(db, teamId)
    .select([...repositoryColumns, windowTotal])
    .orderBy('team_repositories.name')
    .orderBy('team_repositories.repository_id')
    .limit(page.limit)
    .offset(offsetOf(page))
    .execute()
}

export function countPublicRepositories(db: Db, teamId: number): Promise<number> {
  return countRows(publicRepositories(db, teamId))
}

/** Filter for a team's repositories: by a text in their name or description, and by visibility. */
interface RepositoriesWanted extends Pick<BrowseRepositoriesInput, 'q' | 'sort'> {
  onlyPublic: boolean
}

/**
 * Returns a page of the team's repositories that match the filter, with the total. Reads all repositories of
 * the team.
 */
export function selectMatchingRepositories(
  db: Db,
  teamId: number,
  wanted: RepositoriesWanted,
  page: PageRequest,
): Promise<(RepositoryRow & { total: number })[]> {
  let query = matchingRepositories(db, teamId, wanted).select([...repositoryColumns, windowTotal])
  if (wanted.sort === 'updated') query = query.orderBy('repositories.updated_at', 'desc')
  if (wanted.sort === 'newest') query = query.orderBy('team_repositories.created_at', 'desc')
  return query
    .orderBy('team_repositories.name')
    .orderBy('team_repositories.repository_id')
    .limit(page.limit)
    .offset(offsetOf(page))
    .execute()
}

export function countMatchingRepositories(
  db: Db,
  teamId: number,
  wanted: RepositoriesWanted,
): Promise<number> {
  return countRows(matchingRepositories(db, teamId, wanted))
}

function matchingRepositories(
  db: Db,
  teamId: number,
  { q, onlyPublic }: RepositoriesWanted,
): SelectQueryBuilder<Database, 'team_repositories' | 'repositories', object> {
  const all = db
    .selectFrom('team_repositories')
    .innerJoin('repositories', 'repositories.id', 'team_repositories.repository_id')
    .where('team_repositories.team_id', '=', teamId)
  const query = onlyPublic ? all.where('repositories.is_private', '=', false) : all
  if (q === '') return query
  const pattern = likePattern(q)
  return query.where(eb =>
    eb.or([
      eb('team_repositories.name', 'like', pattern),
      eb(sql`lower(repositories.description)`, 'like', pattern),
    ]),
  )
}

/**
 * Returns the number of distinct repositories that belong to at least one of these teams, and the names of
 * the first `limit` repositories in alphabetical order.
 */
export async function selectFirstRepositories(
  trx: Transaction<Database>,
  teamIds: readonly number[],
  limit: number,
): Promise<Ended> {
  const rows = await trx
    .selectFrom('team_repositories')
    .innerJoin('repositories', 'repositories.id', 'team_repositories.repository_id')
    .select(['repositories.name', windowTotal])
    .where('team_repositories.team_id', '=', oneOf(teamIds))
    .groupBy(['repositories.id', 'repositories.name', 'team_repositories.name'])
    .orderBy('team_repositories.name')
    .orderBy('repositories.id')
    .limit(limit)
    .execute()
  return { total: rows[0]?.total ?? 0, names: rows.map(({ name }) => name) }
}

/** Returns the repositories with these IDs that the organization owns. */
export function selectRepositoriesAmong(
  db: Db,
  orgId: number,
  ids: readonly number[],
): Promise<RepositoryRow[]> {
  return db
    .selectFrom('repositories')
    .select(repositoryColumns)
    .where('repositories.owner_id', '=', orgId)
    .where('repositories.id', '=', anyOf(ids))
    .orderBy('repositories.id')
    .execute()
}

export async function countOrgRepositories(db: Db, orgId: number): Promise<number> {
  const row = await db
    .selectFrom('users')
    .select('repository_count')
    .where('id', '=', orgId)
    .executeTakeFirst()
  return row?.repository_count ?? 0
}

function publicRepositories(
  db: Db,
  teamId: number,
): SelectQueryBuilder<Database, 'team_repositories' | 'repositories', object> {
  return db
    .selectFrom('team_repositories')
    .innerJoin('repositories', 'repositories.id', 'team_repositories.repository_id')
    .where('team_repositories.team_id', '=', teamId)
    .where('repositories.is_private', '=', false)
}

export async function isAttached(db: Db, teamId: number, repositoryId: number): Promise<boolean> {
  const row = await db
    .selectFrom('team_repositories')
    .select('repository_id')
    .where('team_id', '=', teamId)
    .where('repository_id', '=', repositoryId)
    .executeTakeFirst()
  return row !== undefined
}

/** Returns the IDs of these teams that have the repository. */
export async function selectTeamsAttachedAmong(
  db: Db,
  repositoryId: number,
  teamIds: readonly number[],
): Promise<Set<number>> {
  const rows = await db
    .selectFrom('team_repositories')
    .select('team_id')
    .where('repository_id', '=', repositoryId)
    .where('team_id', '=', anyOf(teamIds))
    .execute()
  return new Set(rows.map(row => row.team_id))
}

/** Adds repositories to a team and returns the IDs of those that it did not have before. */
export async function attach(
  trx: Transaction<Database>,
  team: TeamRef,
  repositoryIds: readonly number[],
): Promise<number[]> {
  if (repositoryIds.length === 0) return []
  const rows = await trx
    .insertInto('team_repositories')
    .values(repositoryIds.map(repository_id => ({ team_id: team.id, org_id: team.org_id, repository_id })))
    .onConflict(conflict => conflict.doNothing())
    .returning('repository_id')
    .execute()
  return rows.map(row => row.repository_id)
}

/**
 * Adds all repositories of the organization to a team. The organization must be locked first: a repository
 * that is created concurrently is then either included here or added to the team when it is created.
 */
export async function attachAll(trx: Transaction<Database>, team: TeamRef): Promise<void> {
  await trx
    .insertInto('team_repositories')
    .columns(['team_id', 'org_id', 'repository_id', 'name'])
    .expression(eb =>
      eb
        .selectFrom('repositories')
        .select([eb.val(team.id).as('team_id'), 'owner_id', 'id', sql<string>`lower(name)`.as('name')])
        .where('owner_id', '=', team.org_id)
        // A rename does not lock the organization. Either it waits for this lock, or this statement reads the
        // new name.
        .forShare(),
    )
    .onConflict(conflict => conflict.doNothing())
    .execute()
}

/** Removes repositories from a team and returns the IDs of the repositories that were removed. */
export async function detach(
  trx: Transaction<Database>,
  teamId: number,
  repositoryIds: readonly number[],
): Promise<number[]> {
  const rows = await trx
    .deleteFrom('team_repositories')
    .where('team_id', '=', teamId)
    .where('repository_id', '=', oneOf(repositoryIds))
    .returning('repository_id')
    .execute()
  return rows.map(row => row.repository_id)
}

/** Returns the teams that have a repository, with the Owners team first. */
export function selectTeamsOfRepository(db: Db, repositoryId: number): Promise<TeamRow[]> {
  return db
    .selectFrom('team_repositories')
    .innerJoin('teams', 'teams.id', 'team_repositories.team_id')
    .select(teamColumns)
    .where('team_repositories.repository_id', '=', repositoryId)
    .orderBy('teams.is_owners', 'desc')
    .orderBy(sql`lower(teams.name)`)
    .orderBy('teams.id')
    .execute()
}
