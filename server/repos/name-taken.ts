import type { UserCtx } from '@/server/kernel/ctx'
import { creatingOwner } from './create'
import { findRepositoryByName } from './store'

/**
 * Has this owner a repository of this name, in any case? For who may create one there, which would tell the same. Throws
 * as `creatingOwner`.
 */
export async function isRepositoryNameTaken(
  ctx: UserCtx,
  input: { owner: string; name: string },
): Promise<boolean> {
  const owner = await creatingOwner(ctx, input.owner)
  return (await findRepositoryByName(ctx.db, owner.id, input.name)) !== undefined
}
