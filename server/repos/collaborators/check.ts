import { maySeePerson, subjectOf } from '@/server/access'
import type { UserCtx } from '@/server/kernel/ctx'
import { notFound } from '@/server/kernel/errors'
import { getRepository } from '../find'
import { mayWriteCode } from '../policy'
import { getPerson, noSuchPerson } from './person'
import { findCollaboration } from './store'

/**
 * Returns when the person named is a collaborator, for whoever may see the repository.
 * Throws notFound otherwise, moved after a rename, unprocessable for a name that is unknown or hidden.
 */
export async function requireCollaborator(
  ctx: UserCtx,
  input: { owner: string; repo: string; collaborator: string },
): Promise<void> {
  const found = await getRepository(ctx, input)
  const { id } = found.repository
  const person = await getPerson(ctx, id, input.collaborator)
  if (!mayWriteCode(found) && !maySeePerson(subjectOf(ctx.caller), person))
    throw noSuchPerson(input.collaborator)
  if (!(await findCollaboration(ctx.db, id, person.id))) throw notFound()
}
