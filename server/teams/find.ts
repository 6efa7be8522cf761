import { findAccountById } from '@/server/kernel/auth/find-account'
import type { ServiceCtx, UserCtx } from '@/server/kernel/ctx'
import { forbidden, gone } from '@/server/kernel/errors'
import { type OrganizationWithAccess, organizationWithAccess, requireOwner } from '@/server/orgs'
import { findTeam, type TeamRow } from './store'

/** A team whose organization the caller belongs to, and their part in both. */
export interface TeamWithAccess extends OrganizationWithAccess {
  team: TeamRow
  isInTeam: boolean
}

/**
 * Finds a team for whoever belongs to its organization or administers the site. Throws notFound for everybody else,
 * forbidden for a token limited to public data when the organization is not public.
 */
export async function getTeamOfOrg(ctx: UserCtx, id: number): Promise<TeamWithAccess> {
  const found = await findTeam(ctx.db, id, ctx.caller.user.id)
  const account = found && (await findAccountById(ctx.db, found.team.org_id))
  if (!account) throw gone('team')
  const seen = await organizationWithAccess(ctx, account, 'team')
  if (!seen.access.isMember && !seen.access.mayManage) throw gone('team')
  return { ...seen, team: found.team, isInTeam: found.hasViewer }
}

const nobody = 0

/** Throws notFound unless there is such a team, of an organization that whoever calls may know of. */
export async function requireTeam(ctx: ServiceCtx, id: number): Promise<void> {
  const team = Number.isSafeInteger(id) ? await findTeam(ctx.db, id, nobody) : undefined
  const account = team && (await findAccountById(ctx.db, team.team.org_id))
  if (!account) throw gone('team')
  await organizationWithAccess(ctx, account, 'team')
}

/**
 * Finds a team the caller may look into: as one of it, as an owner of its organization or as an administrator.
 * Throws as `getTeamOfOrg`, and forbidden for the other members of the organization.
 */
export async function getTeam(ctx: UserCtx, id: number): Promise<TeamWithAccess> {
  const seen = await getTeamOfOrg(ctx, id)
  if (!seen.isInTeam && !seen.access.mayManage) throw forbidden('Must be a team member')
  return seen
}

/** Finds a team the caller may change. Throws as `getTeamOfOrg`, and forbidden for who does not own its organization. */
export async function getOwnTeam(ctx: UserCtx, id: number): Promise<TeamWithAccess> {
  const seen = await getTeamOfOrg(ctx, id)
  requireOwner(seen)
  return seen
}
