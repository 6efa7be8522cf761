import { type SelectQueryBuilder, sql, type Transaction } from 'kysely'
import type { Db } from '@/db/client'
import { affectedRows, anyOf, countRows, windowTotal } from '@/db/sql'
import type { Database } from '@/db/tables'
import { offsetOf, type PageRequest } from '@/server/kernel/pagination'
import { type RepositoryRow, repositoryColumns } from '@/server/repos'
import { type TeamRef, type TeamRow, teamColumns } from '../store'

/**
 * Selects a page of a team's repositories by name. An index holds that order, so that a page of many costs no more than
 * one of few; the team's row has the total.
 */
export async function selectRepositories(
  db: Db,
  teamId: number,
  page: PageRequest,
): Promise<RepositoryRow[]> {
  const attached = await db
    .selectFrom('team_repositories')
    .select('repository_id')
    .where('team_id', '=', teamId)
    .orderBy('name')
    .orderBy('repository_id')
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

/** Selects a page of a team's public repositories, by name, with their total. */
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

/** Selects those of these teams that have the repository. */
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

/** Adds a repository to a team. Returns whether it is new to the team. */
export async function attach(
  trx: Transaction<Database>,
  team: TeamRef,
  repositoryId: number,
): Promise<boolean> {
  const result = await trx
    .insertInto('team_repositories')
    .values({ team_id: team.id, org_id: team.org_id, repository_id: repositoryId })
    .onConflict(conflict => conflict.doNothing())
    .executeTakeFirst()
  return affectedRows(result) > 0
}

/**
 * Adds every repository of its organization to a team. Lock the organization first, so that a repository being created
 * at the same time is either among them or finds the team.
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
        // A rename does not lock the organization: it waits for this, or this reads its new name.
        .forShare(),
    )
    .onConflict(conflict => conflict.doNothing())
    .execute()
}

/** Removes a repository from a team. Returns whether the team had it. */
export async function detach(
  trx: Transaction<Database>,
  teamId: number,
  repositoryId: number,
): Promise<boolean> {
  const result = await trx
    .deleteFrom('team_repositories')
    .where('team_id', '=', teamId)
    .where('repository_id', '=', repositoryId)
    .executeTakeFirst()
  return affectedRows(result) > 0
}

/** Selects the teams that have a repository, the owners first. */
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
