import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Unit } from '@/server/access/units'

/**
 * Teams this person is in that give something on this unit, or on any; a team below admin without units gives nothing.
 * A whole one owns its organization or has all of its repositories, so that nobody needs to look at them singly.
 */
export const givingTeams = (userId: number, unit?: Unit): RawBuilder<unknown> => sql`
  select teams.id, teams.org_id, organization.visibility = 'public' as is_public,
    teams.is_owners or teams.repository_count = organization.repository_count as is_whole
  from team_members
  join teams on teams.id = team_members.team_id
  join users as organization on organization.id = teams.org_id
  where team_members.user_id = ${userId}
    and (teams.mode in ('admin', 'owner') or exists (
      select from team_units
      where team_units.team_id = teams.id and team_units.mode <> 'none'
        and ${unit ? sql`team_units.unit = ${unit}` : sql`true`}))`

/**
 * Rows of `repositories` of which this person was given this unit, or any, through teams or as a collaborator; public or
 * not.
 */
export const isGivenTo = (userId: number, unit?: Unit): RawBuilder<SqlBool> => sql`(
  repositories.owner_id in (
    select giving.org_id from (${givingTeams(userId, unit)}) giving where giving.is_whole)
  or repositories.id in (
    select team_repositories.repository_id
    from team_repositories
    where team_repositories.team_id in (
      select giving.id from (${givingTeams(userId, unit)}) giving where not giving.is_whole)
    union
    select repository_collaborators.repository_id
    from repository_collaborators
    where repository_collaborators.user_id = ${userId}))`
