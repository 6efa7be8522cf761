import { atLeast } from '@/server/access/access-mode'
import type { UserCtx } from '@/server/kernel/ctx'
import { forbidden, methodNotAllowed } from '@/server/kernel/errors'
import { getRepository, type RepositoryWithAccess } from '@/server/repos'

/**
 * An organization's repository: whoever may see it may know which teams have it.
 * Throws as `getRepository`, and methodNotAllowed when a person owns it.
 */
export async function getOrgRepository(
  ctx: UserCtx,
  path: { owner: string; repo: string },
): Promise<RepositoryWithAccess> {
  const found = await getRepository(ctx, path)
  if (found.owner.kind !== 'organization') {
    throw methodNotAllowed('the repository belongs to a person, so it has no teams')
  }
  return found
}

/**
 * Throws forbidden unless the caller may say which teams have the repository: its organization's owners, and where the
 * organization allows it whoever administers the repository.
 */
export function requireTeamChange(found: RepositoryWithAccess): void {
  if (!mayChangeTeams(found)) throw forbidden('user is nor repo admin nor owner')
}

/** Whether the caller may say which teams have the repository. */
export function mayChangeTeams({ access, owner }: RepositoryWithAccess): boolean {
  return atLeast(access.mode, owner.repo_admin_change_team_access ? 'admin' : 'owner')
}
