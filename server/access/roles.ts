import type { Db } from '@/db/client'
import { anyOf } from '@/db/sql'

/** A person's part in an organization. An owner is always a member. */
export interface Role {
  isMember: boolean
  isOwner: boolean
}

export const outsider: Role = { isMember: false, isOwner: false }

/** One person's part in each of these organizations; those they are not in are absent. */
export async function selectRoles(
  db: Db,
  userId: number,
  orgIds: readonly number[],
): Promise<Map<number, Role>> {
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
    .select(['organization_members.org_id', 'team_members.user_id as owner'])
    .where('organization_members.user_id', '=', userId)
    .where('organization_members.org_id', '=', anyOf(orgIds))
    .execute()
  return new Map(members.map(row => [row.org_id, { isMember: true, isOwner: row.owner !== null }]))
}
