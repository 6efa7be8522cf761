import { sql } from 'kysely'
import type { Db } from '@/db/client'
import { anyOf, oneOf } from '@/db/sql'
import type { AccessMode } from './access-mode'
import type { DeployKeySubject, TeamGrant } from './decide'
import type { Unit } from './units'

/** Access granted on one repository to a person, through teams or as a collaborator, or to a deploy key. */
export interface Grants {
  teams: TeamGrant[]
  collaborator: AccessMode | undefined
  deployKey?: AccessMode
}

interface GrantRow {
  user_id: number
  repository_id: number
  team_id: number | null
  team_name: string | null
  mode: AccessMode
  unit: Unit | null
  unit_mode: AccessMode | null
}

/**
 * Returns one person's grants on each of the repositories, with one query. Repositories without grants are
 * absent.
 */
export async function selectGrants(
  db: Db,
  userId: number,
  repositoryIds: readonly number[],
): Promise<Map<number, Grants>> {
  return (await selectGrantsOf(db, [userId], repositoryIds)).get(userId) ?? new Map()
}

/**
 * Returns a deploy key's grants on each of the repositories at the given time. Repositories without a valid
 * grant are absent.
 */
export async function selectDeployGrants(
  db: Db,
  { id, asOf }: DeployKeySubject,
  repositoryIds: readonly number[],
): Promise<Map<number, Grants>> {
  const rows = await db
    .selectFrom('deploy_keys')
    .select(['repository_id', 'mode'])
    .where('key_id', '=', id)
    .where(sql<boolean>`repository_id = ${anyOf(repositoryIds)}`)
    .where(sql<boolean>`(expires_at is null or expires_at > ${asOf})`)
    .orderBy('repository_id')
    .execute()
  return new Map(
    rows.map(row => [row.repository_id, { teams: [], collaborator: undefined, deployKey: row.mode }]),
  )
}

/**
 * Returns the grants of each person on each of the repositories, with one query. People without grants are
 * absent.
 */
export async function selectGrantsOf(
  db: Db,
  userIds: readonly number[],
  repositoryIds: readonly number[],
): Promise<Map<number, Map<number, Grants>>> {
  const grants = new Map<number, Map<number, Grants>>()
  for (const row of await rows(db, userIds, repositoryIds)) {
    const ofPerson = grants.get(row.user_id) ?? new Map<number, Grants>()
    grants.set(row.user_id, ofPerson)
    const found = ofPerson.get(row.repository_id) ?? { teams: [], collaborator: undefined }
    ofPerson.set(row.repository_id, found)
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

async function rows(
  db: Db,
  userIds: readonly number[],
  repositoryIds: readonly number[],
): Promise<GrantRow[]> {
  const { rows: found } = await sql<GrantRow>`
    select tm.user_id, tr.repository_id, t.id as team_id, t.name as team_name, t.mode, tu.unit, tu.mode as unit_mode
    from team_repositories tr
    join team_members tm on tm.team_id = tr.team_id and tm.user_id = ${oneOf(userIds)}
    join teams t on t.id = tr.team_id
    left join team_units tu on tu.team_id = t.id
    where tr.repository_id = ${anyOf(repositoryIds)}
    union all
    select user_id, repository_id, null, null, mode, null, null
    from repository_collaborators
    where user_id = ${oneOf(userIds)} and repository_id = ${anyOf(repositoryIds)}
    order by 1, 2, 3`.execute(db)
  return found
}
