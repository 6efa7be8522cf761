import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '@/db/client'
import type { DeployKeySubject, JobSubject, Subject } from './decide'
import type { Unit } from './units'

type Condition = RawBuilder<SqlBool>
type Person = Extract<Subject, { kind: 'user' }>

/**
 * Returns an SQL condition on `repositories` that selects those the subject can see or, with `unit`, those on
 * which the subject can read that unit, such as code or releases. Applies the same rules as
 * `decideRepositoryAccess`.
 */
export function visibleRepositories(subject: Subject, unit?: Unit): Condition {
  if (subject.kind === 'anonymous') {
    const { job, deployKey } = subject
    if (job) return sql`(${openToAll} or ${isReadBy(job, unit)})`
    if (deployKey !== undefined && (unit === undefined || unit === 'repo.code'))
      return sql`(${openToAll} or ${isOpenedBy(deployKey)})`
    return openToAll
  }
  const visible: Condition = subject.isAdmin ? sql`true` : visibleTo(subject, unit)
  return subject.publicOnly ? sql`(${openToAll} and ${visible})` : visible
}

function isReadBy({ repositoryId, units, actor }: JobSubject, unit: Unit | undefined): Condition {
  if (unit !== undefined && (units[unit] ?? 'none') === 'none') return sql`false`
  const own: Condition = sql`repositories.id = ${repositoryId}`
  return actor ? sql`(${own} and ${visibleRepositories(actor, unit)})` : own
}

const isOpenedBy = ({ id, asOf }: DeployKeySubject): Condition => sql`repositories.id in (
  select deploy_keys.repository_id from deploy_keys
  where deploy_keys.key_id = ${id} and (deploy_keys.expires_at is null or deploy_keys.expires_at > ${asOf}))`

/**
 * SQL condition on `repositories` that selects those visible to everyone, including tokens limited to public
 * data.
 */
export const openToAll: Condition = sql`(not repositories.is_private and ${ownerWhere(sql`owner.visibility = 'public'`)})`

const visibleTo = (subject: Person, unit: Unit | undefined): Condition => sql`(
  repositories.owner_id = ${subject.id}
  or ${isGrantedTo(subject.id, unit)}
  or (not repositories.is_private and ${openTo(subject)}))`

// Restricted accounts see what is open without an account; members also see their organization's repositories.
function openTo(subject: Person): Condition {
  const inOrganization: Condition = sql`repositories.owner_id in (
    select organization_members.org_id from organization_members where organization_members.user_id = ${subject.id})`
  const open: Condition = subject.isRestricted
    ? sql`owner.visibility = 'public'`
    : sql`owner.visibility <> 'private'`
  return sql`(${ownerWhere(open)} or ${inOrganization})`
}

function ownerWhere(condition: Condition): Condition {
  return sql`exists (select from users as owner where owner.id = repositories.owner_id and ${condition})`
}

/**
 * SQL query for the person's teams that grant access to this unit, or to any unit if none is passed. A team
 * below admin without units grants nothing. `is_whole` is true for a team that covers every repository of its
 * organization, so its `team_repositories` rows need not be read.
 */
const grantingTeams = (userId: number, unit?: Unit): RawBuilder<unknown> => sql`
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
 * SQL condition on `repositories` that selects those on which the person was granted access through a team or
 * as a collaborator. With `unit`, such as code or releases, teams count only if they grant access to that
 * unit.
 */
export const isGrantedTo = (userId: number, unit?: Unit): Condition => sql`(
  repositories.owner_id in (
    select granting.org_id from (${grantingTeams(userId, unit)}) granting where granting.is_whole)
  or repositories.id in (
    select team_repositories.repository_id
    from team_repositories
    where team_repositories.team_id in (
      select granting.id from (${grantingTeams(userId, unit)}) granting where not granting.is_whole)
    union
    select repository_collaborators.repository_id
    from repository_collaborators
    where repository_collaborators.user_id = ${userId}))`

/**
 * A team that grants its members access to repositories. `isWhole` is true if these are all repositories of
 * the organization.
 */
export interface GrantingTeam {
  id: number
  org: { id: number; isPublic: boolean }
  isWhole: boolean
}

/** Returns the teams that grant access to this person, optionally only those of one organization. */
export async function selectGrantingTeams(db: Db, userId: number, orgId?: number): Promise<GrantingTeam[]> {
  const { rows } = await sql<{ id: number; org_id: number; is_public: boolean; is_whole: boolean }>`
    select granting.id, granting.org_id, granting.is_public, granting.is_whole
    from (${grantingTeams(userId)}) granting
    where ${orgId === undefined ? sql`true` : sql`granting.org_id = ${orgId}`}
    order by granting.id`.execute(db)
  return rows.map(({ id, org_id, is_public, is_whole }) => ({
    id,
    org: { id: org_id, isPublic: is_public },
    isWhole: is_whole,
  }))
}
