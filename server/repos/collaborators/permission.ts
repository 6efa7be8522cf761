import { highest } from '@/server/access/access-mode'
import type { UserCtx } from '@/server/kernel/ctx'
import { viewUser } from '@/server/users'
import { accessOfNamed } from '../access-of-named'
import type { RepoCollaboratorPermission } from './schema'

/**
 * What the person named may do with the code of a repository, from whatever source; for its administrators, and
 * about oneself. Throws notFound, also for an unknown name, moved after a rename, forbidden.
 */
export async function showPermission(
  ctx: UserCtx,
  input: { owner: string; repo: string; collaborator: string },
): Promise<RepoCollaboratorPermission> {
  const { person, access } = await accessOfNamed(ctx, input, input.collaborator)
  const permission = highest([access.mode, access.units['repo.code'].mode])
  const user = viewUser(ctx, person)
  return { permission, role_name: permission, user }
}
