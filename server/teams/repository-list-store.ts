import type { SelectQueryBuilder } from 'kysely'
import type { Db } from '@/db/client'
import { anyOf, countRows, windowTotal } from '@/db/sql'
import type { Database } from '@/db/tables'
import { offsetOf, type PageRequest } from '@/server/kernel/pagination'
import { type RepositoryRow, repositoryColumns } from '@/server/repos'

/**
 * A page of a team's repositories by name: the index holds that order, so a page of many costs no more than one of few.
 * How many there are is counted with the team.
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

/** The same without private ones, for tokens limited to public data; it counts what it reads. */
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
