import type { Db } from '@/db/client'
import { anyOf, oneOf } from '@/db/sql'

/** A person's role in an organization. An owner is always a member. */
export interface Role {
  isMember: boolean
  isOwner: boolean
}

export const outsider: Role = { isMember: false, isOwner: false }

/**
 * Returns one person's role in each of the organizations. Organizations that they do not belong to are absent.
 */
export async function selectRoles(
  db: Db,
  userId: number,
  orgIds: readonly number[],
): Promise<Map<number, Role>> {
  return (await selectRolesOf(db, [userId], orgIds)).get(userId) ?? new Map()
}

/**
 * Returns each person's role in each of the organizations, with one query. People who belong to none are
 * absent.
 */
export async function selectRolesOf(
  db: Db,
  userIds: readonly number[],
  orgIds: readonly number[],
): Promise<Map<number, Map<number, Role>>> {
  const members = await db
    .selectFrom('organization_members')
    .leftJoin('teams', join =>
      join.onRef('teams.org_id', '=', 'organization_members.org_id').on('teams.is_owners', '=', true),
    )
    .leftJoin('team_members', join =>
      join
        .onRef('team_members.team_id', '=', 'teams.id')
        .onRef('team_members.user_id', '=', 'organization_members.user_id'),
    )
    .select(['organization_members.user_id', 'organization_members.org_id', 'team_members.user_id as owner'])
    .where('organization_members.user_id', '=', oneOf(userIds))
    .where('organization_members.org_id', '=', anyOf(orgIds))
    .execute()
  const roles = new Map<number, Map<number, Role>>()
  for (const { user_id, org_id, owner } of members) {
    const ofPerson = roles.get(user_id) ?? new Map<number, Role>()
    roles.set(user_id, ofPerson.set(org_id, { isMember: true, isOwner: owner !== null }))
  }
  return roles
}
