import type { UserCtx } from '@/server/kernel/ctx'
import { DomainError, forbidden } from '@/server/kernel/errors'
import { atLeast } from '@/server/kernel/permissions/access-mode'
import { requireMember, seeOrg } from '@/server/orgs'
import { getRepository, mayAdminister, type SeenRepository } from '@/server/repos'

/**
 * A repository whose teams the caller may know: as a member of its organization or an administrator of it.
 * Throws as `getRepository`, methodNotAllowed when a person owns it, forbidden for everybody else.
 */
export async function getOrgRepository(
  ctx: UserCtx,
  path: { owner: string; repo: string },
): Promise<SeenRepository> {
  const seen = await getRepository(ctx, path)
  if (seen.owner.kind !== 'organization') {
    throw new DomainError('methodNotAllowed', 'the repository belongs to a person, so it has no teams')
  }
  if (!mayAdminister(seen)) requireMember(await seeOrg(ctx, seen.owner))
  return seen
}

/**
 * Throws forbidden unless the caller may say which teams have the repository: its organization's owners, and where the
 * organization allows it whoever administers the repository.
 */
export function requireTeamChange({ access, owner }: SeenRepository): void {
  const needed = owner.repo_admin_change_team_access ? 'admin' : 'owner'
  if (!atLeast(access.mode, needed)) throw forbidden('user is nor repo admin nor owner')
}
