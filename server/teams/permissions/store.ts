import { type RawBuilder, sql, type Transaction } from 'kysely'
import type { Db } from '@/db/client'
import { anyOf } from '@/db/sql'
import type { Database } from '@/db/tables'
import type { AccessMode } from '@/server/access/access-mode'
import type { Unit } from '@/server/access/units'
import { offsetOf, type PageRequest } from '@/server/kernel/pagination'
import type { TeamUnits } from './access'

/**
 * Returns the teams' stored access modes for units (repository features, such as code or issues), by team ID.
 * Teams without stored modes are absent from the map.
 */
export async function selectUnits(db: Db, teamIds: readonly number[]): Promise<Map<number, TeamUnits>> {
  const units = new Map<number, TeamUnits>()
  if (teamIds.length === 0) return units
  const rows = await db
    .selectFrom('team_units')
    .select(['team_id', 'unit', 'mode'])
    .where('team_id', '=', anyOf(teamIds))
    .execute()
  for (const { team_id, unit, mode } of rows) units.set(team_id, { ...units.get(team_id), [unit]: mode })
  return units
}

/** Replaces all stored access modes of a team for units (repository features, such as code or issues). */
export async function replaceUnits(
  trx: Transaction<Database>,
  team: { id: number; org_id: number },
  units: TeamUnits,
): Promise<void> {
  await trx.deleteFrom('team_units').where('team_id', '=', team.id).execute()
  const rows = Object.entries(units).map(([unit, mode]) => ({
    team_id: team.id,
    org_id: team.org_id,
    unit: unit as Unit,
    mode,
  }))
  if (rows.length > 0) await trx.insertInto('team_units').values(rows).execute()
}

/**
 * Returns the statement that inserts the stored access modes of the team in the table `inserted` for units
 * (repository features, such as code or issues). `modes[i]` is the mode of `units[i]`.
 */
export const unitsOfInserted = ({
  units,
  modes,
}: {
  units: string[]
  modes: string[]
}): RawBuilder<unknown> => sql`
  insert into team_units (team_id, org_id, unit, mode)
  select inserted.id, inserted.org_id, granted.unit, granted.mode
  from inserted, unnest(${units}::text[], ${modes}::text[]) as granted (unit, mode)`

export interface PreviewRepository {
  id: number
  name: string
  is_private: boolean
}

/** Returns a page of an organization's repositories, sorted by name. */
export function selectOrgRepositories(
  db: Db,
  orgId: number,
  page: PageRequest,
): Promise<PreviewRepository[]> {
  return db
    .selectFrom('repositories')
    .select(['id', 'name', 'is_private'])
    .where('owner_id', '=', orgId)
    .orderBy(sql`lower(name)`)
    .limit(page.limit)
    .offset(offsetOf(page))
    .execute()
}

export interface MembershipRow {
  user_id: number
  team_id: number
  name: string
  mode: AccessMode
}

/** Returns the memberships that these people have in the organization's teams. */
export function selectMemberships(
  db: Db,
  orgId: number,
  userIds: readonly number[],
): Promise<MembershipRow[]> {
  return db
    .selectFrom('team_members')
    .innerJoin('teams', 'teams.id', 'team_members.team_id')
    .select(['team_members.user_id', 'team_members.team_id', 'teams.name', 'teams.mode'])
    .where('team_members.org_id', '=', orgId)
    .where('team_members.user_id', '=', anyOf(userIds))
    .orderBy('team_members.team_id')
    .execute()
}

/** Returns which of these teams have which of these repositories, as pairs of IDs. */
export function selectAttachments(
  db: Db,
  teamIds: readonly number[],
  repositoryIds: readonly number[],
): Promise<{ team_id: number; repository_id: number }[]> {
  return db
    .selectFrom('team_repositories')
    .select(['team_id', 'repository_id'])
    .where('repository_id', '=', anyOf(repositoryIds))
    .where('team_id', '=', anyOf(teamIds))
    .execute()
}

export function selectCollaborations(
  db: Db,
  userIds: readonly number[],
  repositoryIds: readonly number[],
): Promise<{ user_id: number; repository_id: number; mode: AccessMode }[]> {
  return db
    .selectFrom('repository_collaborators')
    .select(['user_id', 'repository_id', 'mode'])
    .where('repository_id', '=', anyOf(repositoryIds))
    .where('user_id', '=', anyOf(userIds))
    .execute()
}
