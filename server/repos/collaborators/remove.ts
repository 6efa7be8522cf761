import { withTransaction } from '@/db/transaction'
import { originOf, recordEvent } from '@/server/events'
import type { UserCtx } from '@/server/kernel/ctx'
import { explainGone } from '@/server/users'
import type { RepositoryFor } from '../load'
import type { administration } from '../policy'
import { getPerson } from './person'
import { deleteCollaborator } from './store'

/**
 * Removes a direct collaborator. Does nothing for a person who is none.
 * @throws {DomainError} unprocessable for an unknown name.
 */
export async function removeCollaborator(
  ctx: UserCtx,
  { repository }: RepositoryFor<typeof administration>,
  username: string,
): Promise<void> {
  const { id, name, owner_id } = repository
  const person = await getPerson(ctx, id, username)
  try {
    await withTransaction(ctx.db, async trx => {
      if (!(await deleteCollaborator(trx, id, person.id))) return
      await recordEvent(trx, originOf(ctx), {
        kind: 'collaborator.removed',
        ownerId: owner_id,
        repositoryId: id,
        facts: { repositoryId: id, repository: name, userId: person.id, user: person.name },
      })
    })
  } catch (error) {
    throw explainGone(error)
  }
}
