import { sql } from 'kysely'
import type { Db } from '@/db/client'
import { offsetOf, type PageRequest } from '@/server/kernel/pagination'
import { type TeamRow, teamColumns } from '../store'

/** A page of the teams that have a repository, the owners first. */
export function selectTeamsOfRepository(
  db: Db,
  repositoryId: number,
  page: PageRequest,
): Promise<(TeamRow & { total: number })[]> {
  return db
    .selectFrom('team_repositories')
    .innerJoin('teams', 'teams.id', 'team_repositories.team_id')
    .select([...teamColumns, sql<number>`count(*) over ()`.as('total')])
    .where('team_repositories.repository_id', '=', repositoryId)
    .orderBy('teams.is_owners', 'desc')
    .orderBy(sql`lower(teams.name)`)
    .orderBy('teams.id')
    .limit(page.limit)
    .offset(offsetOf(page))
    .execute()
}

export async function countTeamsOfRepository(db: Db, repositoryId: number): Promise<number> {
  const row = await db
    .selectFrom('team_repositories')
    .select(eb => eb.fn.countAll<number>().as('count'))
    .where('repository_id', '=', repositoryId)
    .executeTakeFirstOrThrow()
  return row.count
}
