import { withTransaction } from '@/db/transaction'
import { originOf } from '@/server/events'
import type { UserCtx } from '@/server/kernel/ctx'
import { deleted } from '@/server/kernel/errors'
import { endCollaborations, keepAccounts, mapForeignKeyError } from '@/server/users'
import type { RepositoryFor } from '../load'
import type { administration } from '../policy'
import { isStillOwned } from '../store'
import type { RepositoryToLeave } from './load'
import { getPerson } from './person'

/**
 * Removes a direct collaborator, on an administrator's or the collaborator's own request. Does nothing if the
 * person is not a direct collaborator.
 * @throws {DomainError} unprocessable for an unknown name; notFound if the repository is deleted or
 * transferred concurrently.
 */
export async function removeCollaborator(
  ctx: UserCtx,
  { repository }: RepositoryToLeave | RepositoryFor<typeof administration>,
  username: string,
): Promise<void> {
  const person = await getPerson(ctx, repository.id, username)
  const ending = { of: [person.id], repositoryId: repository.id }
  try {
    await withTransaction(ctx.db, async trx => {
      await keepAccounts(trx, [originOf(ctx).actorId])
      // If the repository was transferred in the meantime, its new owner decides on its collaborators.
      if (!(await isStillOwned(trx, repository.id, repository.owner_id))) throw deleted('repository')
      await endCollaborations(trx, ctx, ending)
    })
  } catch (error) {
    throw mapForeignKeyError(error)
  }
}
