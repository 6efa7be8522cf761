import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '@/db/client'
import type { Visibility } from '@/db/tables/users'
import type { Subject } from './decide'
import { outsider, type Role, selectRoles } from './roles'

export interface OrganizationAccess {
  /** Whether the subject can see the organization. Site administrators see every organization. */
  visible: boolean
  isMember: boolean
  /**
   * Whether the subject is in the owners team. Site administrators have the same rights without being owners;
   * see `mayManage`.
   */
  isOwner: boolean
  mayManage: boolean
  mayCreateRepository: boolean
}

/** The rights in an organization that follow from the subject's role alone. */
export type OrganizationRights = Omit<OrganizationAccess, 'mayCreateRepository'>

/**
 * Returns the subject's rights in an organization. Public organizations are visible to everyone, limited ones
 * to signed-in users who are not restricted, and private ones to members. Site administrators see all
 * organizations.
 */
export async function organizationAccess(
  db: Db,
  subject: Subject,
  org: OrganizationRef,
): Promise<OrganizationAccess> {
  if (subject.kind === 'anonymous') {
    return { ...decideOrganizationRights(subject, org, outsider), mayCreateRepository: false }
  }
  const role = (await selectRoles(db, subject.id, [org.id])).get(org.id) ?? outsider
  const rights = decideOrganizationRights(subject, org, role)
  const { mayManage } = rights
  return {
    ...rights,
    mayCreateRepository: mayManage || (role.isMember && (await isInCreatingTeam(db, subject.id, org.id))),
  }
}

/** The columns of an organization that the access rules consider. */
export interface OrganizationRef {
  id: number
  visibility: Visibility
}

/** Decides the subject's rights in an organization from its visibility and the subject's role in it. */
export function decideOrganizationRights(
  subject: Subject,
  org: OrganizationRef,
  role: Role,
): OrganizationRights {
  if (subject.kind === 'anonymous') {
    return { visible: org.visibility === 'public', isMember: false, isOwner: false, mayManage: false }
  }
  const open = org.visibility === 'public' || (org.visibility === 'limited' && !subject.isRestricted)
  return {
    visible: open || role.isMember || subject.isAdmin,
    ...role,
    mayManage: role.isOwner || subject.isAdmin,
  }
}

/**
 * Returns an SQL condition on `users` that selects the organizations the subject can see, by the same rule as
 * `organizationAccess`.
 */
export function visibleOrganizations(subject: Subject): RawBuilder<SqlBool> {
  if (subject.kind === 'anonymous' || subject.publicOnly) return sql`users.visibility = 'public'`
  if (subject.isAdmin) return sql`true`
  const open = subject.isRestricted
    ? sql`users.visibility = 'public'`
    : sql`users.visibility in ('public', 'limited')`
  return sql`(${open} or ${hasMember(subject.id)})`
}

/** SQL condition on `users` that selects the organizations this person is a member of. */
export const hasMember = (userId: number): RawBuilder<SqlBool> => sql`exists (
  select from organization_members as belonging
  where belonging.org_id = users.id and belonging.user_id = ${userId})`

async function isInCreatingTeam(db: Db, userId: number, orgId: number): Promise<boolean> {
  const team = await db
    .selectFrom('team_members')
    .innerJoin('teams', 'teams.id', 'team_members.team_id')
    .select('teams.id')
    .where('team_members.user_id', '=', userId)
    .where('team_members.org_id', '=', orgId)
    .where('teams.can_create_org_repo', '=', true)
    .limit(1)
    .executeTakeFirst()
  return team !== undefined
}
