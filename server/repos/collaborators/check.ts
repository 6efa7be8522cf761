import type { UserCtx } from '@/server/kernel/ctx'
import { notFound } from '@/server/kernel/errors'
import { getRepository } from '../find'
import { requirePush } from '../policy'
import { getPerson, isNameOf } from './person'
import { findCollaboration } from './store'

/**
 * Returns when the person named is a collaborator; for who may push, and about oneself.
 * Throws notFound otherwise, moved after a rename, forbidden, unprocessable for an unknown name.
 */
export async function requireCollaborator(
  ctx: UserCtx,
  input: { owner: string; repo: string; collaborator: string },
): Promise<void> {
  const seen = await getRepository(ctx, input)
  if (!isNameOf(ctx, input.collaborator)) requirePush(seen)
  const { id } = seen.repository
  const person = await getPerson(ctx, id, input.collaborator)
  if (!(await findCollaboration(ctx.db, id, person.id))) throw notFound()
}
