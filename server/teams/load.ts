import { type Allowed, requirePublic } from '@/server/access'
import { allow } from '@/server/access/allowed'
import { findAccountById } from '@/server/kernel/account'
import type { ServiceCtx, UserCtx } from '@/server/kernel/ctx'
import { deleted, forbidden } from '@/server/kernel/errors'
import { type OrganizationWithAccess, requireOwner, visibleOrganization } from '@/server/orgs'
import { findTeam, type TeamRow } from './store'

/** A team, whether the caller is in it, and the caller's access to the team's organization. */
export interface TeamWithAccess extends OrganizationWithAccess {
  team: TeamRow
  isInTeam: boolean
}

/**
 * Permission that a caller needs for a team: membership in its organization, membership in the team itself,
 * or ownership of the organization. Owners of the organization and site administrators meet every need.
 */
type TeamNeed = 'orgMembership' | 'membership' | 'ownership'
export type TeamFor<Need extends TeamNeed> = Allowed<TeamWithAccess, Need>

/**
 * Loads a team for a caller who must have the given permission. To callers who neither belong to the
 * organization nor manage it, the team does not exist.
 * @throws {DomainError} notFound if the team does not exist for the caller; forbidden if the caller lacks
 * the permission, or uses a public-only token and the organization is not public.
 */
export async function loadTeam<Need extends TeamNeed>(
  ctx: UserCtx,
  id: number,
  need: Need,
): Promise<TeamFor<Need>> {
  const row = await findTeam(ctx.db, id, ctx.caller.user.id)
  const account = row && (await findAccountById(ctx.db, row.team.org_id))
  if (!account) throw deleted('team')
  const organization = await visibleOrganization(ctx, account, 'team')
  if (!organization.access.isMember && !organization.access.mayManage) throw deleted('team')
  requirePublic(ctx.caller, 'orgs', account.visibility === 'public')
  const found = { ...organization, team: row.team, isInTeam: row.hasViewer }
  requireNeed(found, need)
  return allow(found)
}

function requireNeed(found: TeamWithAccess, need: TeamNeed): void {
  switch (need) {
    case 'orgMembership':
      return
    case 'membership':
      if (!found.isInTeam && !found.access.mayManage) throw forbidden('Must be a team member')
      return
    case 'ownership':
      requireOwner(found)
  }
}

const nobody = 0

/**
 * Checks that a team with this ID exists in an organization that is visible to the caller.
 * @throws {DomainError} notFound if there is no such team.
 */
export async function requireTeam(ctx: ServiceCtx, id: number): Promise<void> {
  const team = Number.isSafeInteger(id) ? await findTeam(ctx.db, id, nobody) : undefined
  const account = team && (await findAccountById(ctx.db, team.team.org_id))
  if (!account) throw deleted('team')
  await visibleOrganization(ctx, account, 'team')
}
