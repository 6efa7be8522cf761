import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '@/db/client'
import type { Visibility } from '@/db/tables/users'
import type { Subject } from './decide'
import { outsider, type Role, selectRoles } from './roles'

export interface OrganizationAccess {
  /** Site administrators see every organization. */
  visible: boolean
  isMember: boolean
  /** Of the owners team; a site administrator may do all that an owner may, see `mayManage`. */
  isOwner: boolean
  mayManage: boolean
  mayCreateRepository: boolean
}

/** What of it the subject's part in the organization alone decides. */
export type OrganizationRights = Omit<OrganizationAccess, 'mayCreateRepository'>

/**
 * What this subject may do in the organization. Public ones are for everybody, limited ones for signed-in people,
 * private ones for members.
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

/** What of an organization the rules look at. */
export interface OrganizationRef {
  id: number
  visibility: Visibility
}

/** Decides it by the subject's part in the organization. */
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

/** The rows of `users` that are organizations this subject may see, for a `where`: as `organizationAccess` decides of one. */
export function visibleOrganizations(subject: Subject): RawBuilder<SqlBool> {
  if (subject.kind === 'anonymous' || subject.publicOnly) return sql`users.visibility = 'public'`
  if (subject.isAdmin) return sql`true`
  const open = subject.isRestricted
    ? sql`users.visibility = 'public'`
    : sql`users.visibility in ('public', 'limited')`
  return sql`(${open} or ${hasMember(subject.id)})`
}

/** Rows of `users` that are organizations this person is in. */
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
