import { sql } from 'kysely'
import type { Db } from '@/db/client'
import { anyOf } from '@/db/sql'
import type { AccessMode } from './access-mode'
import type { TeamGrant } from './decide'
import type { Unit } from './units'

/** What one person was given on one repository. */
export interface Grants {
  teams: TeamGrant[]
  collaborator: AccessMode | undefined
}

interface GrantRow {
  repository_id: number
  team_id: number | null
  team_name: string | null
  mode: AccessMode
  unit: Unit | null
  unit_mode: AccessMode | null
}

/** The grants of one person on each of these repositories, in one query; repositories without any are absent. */
export async function selectGrants(
  db: Db,
  userId: number,
  repositoryIds: readonly number[],
): Promise<Map<number, Grants>> {
  const grants = new Map<number, Grants>()
  for (const row of await rows(db, userId, repositoryIds)) {
    const found = grants.get(row.repository_id) ?? { teams: [], collaborator: undefined }
    grants.set(row.repository_id, found)
    if (row.team_id === null) found.collaborator = row.mode
    else addUnit(found.teams, row, row.team_id)
  }
  return grants
}

function addUnit(teams: TeamGrant[], row: GrantRow, teamId: number): void {
  let grant = teams.at(-1)
  if (grant?.team.id !== teamId) {
    grant = { team: { id: teamId, name: row.team_name ?? '' }, mode: row.mode, units: {} }
    teams.push(grant)
  }
  if (row.unit && row.unit_mode) grant.units[row.unit] = row.unit_mode
}

async function rows(db: Db, userId: number, repositoryIds: readonly number[]): Promise<GrantRow[]> {
  const { rows: found } = await sql<GrantRow>`
    select tr.repository_id, t.id as team_id, t.name as team_name, t.mode, tu.unit, tu.mode as unit_mode
    from team_repositories tr
    join team_members tm on tm.team_id = tr.team_id and tm.user_id = ${userId}
    join teams t on t.id = tr.team_id
    left join team_units tu on tu.team_id = t.id
    where tr.repository_id = ${anyOf(repositoryIds)}
    union all
    select repository_id, null, null, mode, null, null
    from repository_collaborators
    where user_id = ${userId} and repository_id = ${anyOf(repositoryIds)}
    order by 1, 2`.execute(db)
  return found
}
