import { sql } from 'kysely'
import type { Db } from '@/db/client'
import { type TeamRow, teamColumns } from '../store'

/** The teams that have a repository, the owners first. */
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
