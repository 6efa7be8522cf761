import { type Allowed, requirePublic } from '@/server/access'
import { allow } from '@/server/access/allowed'
import { findAccountById } from '@/server/kernel/account'
import type { ServiceCtx, UserCtx } from '@/server/kernel/ctx'
import { deleted, forbidden } from '@/server/kernel/errors'
import { type OrganizationWithAccess, requireOwner, visibleOrganization } from '@/server/orgs'
import { findTeam, type TeamRow } from './store'

/** A team whose organization the caller belongs to or manages, with their access to the organization. */
export interface TeamWithAccess extends OrganizationWithAccess {
  team: TeamRow
  isInTeam: boolean
}

/**
 * What a caller must be allowed with a team; owners of the organization and site administrators are allowed all of it.
 */
type TeamNeed = 'orgMembership' | 'membership' | 'ownership'
export type TeamFor<Need extends TeamNeed> = Allowed<TeamWithAccess, Need>

/**
 * Loads a team for a caller with this need: to belong to its organization, to be in the team itself, or to own its
 * organization. For everybody outside the organization the team does not exist.
 * @throws {DomainError} notFound, forbidden without the need and for a token limited to public data where the
 * organization is not public.
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
 * Checks that there is a team of this id in an organization the caller may know of.
 * @throws {DomainError} notFound otherwise.
 */
export async function requireTeam(ctx: ServiceCtx, id: number): Promise<void> {
  const team = Number.isSafeInteger(id) ? await findTeam(ctx.db, id, nobody) : undefined
  const account = team && (await findAccountById(ctx.db, team.team.org_id))
  if (!account) throw deleted('team')
  await visibleOrganization(ctx, account, 'team')
}
