import type { Allowed } from '@/server/access'
import { allow } from '@/server/access/allowed'
import type { UserCtx } from '@/server/kernel/ctx'
import { getRepository, type RepositoryWithAccess } from '../load'
import { administration, requireNeed } from '../policy'
import type { RepoPath } from '../schema'
import { findCollaboration } from './store'

/** A repository from which the caller is allowed to remove the collaborator named in the request. */
export type RepositoryToLeave = Allowed<RepositoryWithAccess, 'leave'>

/**
 * Loads a repository from which a collaborator is to be removed. The repository's administrators and the
 * collaborator themselves are allowed to do so.
 * @throws {DomainError} notFound; moved after a rename; forbidden for all other callers.
 */
export async function loadToLeave(
  ctx: UserCtx,
  { collaborator, ...path }: RepoPath & { collaborator: string },
): Promise<RepositoryToLeave> {
  const found = await getRepository(ctx, path)
  const { user } = ctx.caller
  const isOwn = collaborator.toLowerCase() === user.name.toLowerCase()
  const leaves = isOwn && (await findCollaboration(ctx.db, found.repository.id, user.id))
  if (!leaves) requireNeed(found, administration)
  return allow(found)
}
