import { withTransaction } from '@/db/transaction'
import type { UserCtx } from '@/server/kernel/ctx'
import { endCollaborations, explainGone } from '@/server/users'
import type { RepositoryFor } from '../load'
import type { administration } from '../policy'
import { getPerson } from './person'

/**
 * Removes a direct collaborator. Does nothing for a person who is none.
 * @throws {DomainError} unprocessable for an unknown name.
 */
export async function removeCollaborator(
  ctx: UserCtx,
  { repository }: RepositoryFor<typeof administration>,
  username: string,
): Promise<void> {
  const person = await getPerson(ctx, repository.id, username)
  const ending = { of: [person.id], repositoryId: repository.id }
  try {
    await withTransaction(ctx.db, trx => endCollaborations(trx, ctx, ending))
  } catch (error) {
    throw explainGone(error)
  }
}
