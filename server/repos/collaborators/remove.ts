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
 * Removes a direct collaborator, or lets one leave. Does nothing for a person who is none.
 * @throws {DomainError} unprocessable for an unknown name; notFound when the repository is deleted or given away
 * concurrently.
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
      // Its new owner decides on the collaborators, where there is one since.
      if (!(await isStillOwned(trx, repository.id, repository.owner_id))) throw deleted('repository')
      await endCollaborations(trx, ctx, ending)
    })
  } catch (error) {
    throw mapForeignKeyError(error)
  }
}
