import { withTransaction } from '@/db/transaction'
import { originOf, recordEvent } from '@/server/events'
import type { UserCtx } from '@/server/kernel/ctx'
import { gone } from '@/server/kernel/errors'
import type { RepositoryFor } from './load'
import type { ownership } from './policy'
import { noteIntent, removeBareRepository } from './storage'
import type { RepositoryRow } from './store'
import { deleteRepository, lockOwner } from './store'

/**
 * Deletes a repository with all that belongs to it, and its git data once that is certain.
 * @throws {DomainError} notFound when it is deleted concurrently.
 */
export async function removeRepository(
  ctx: UserCtx,
  { repository }: RepositoryFor<typeof ownership>,
): Promise<void> {
  await noteIntent(ctx.config, repository.storage_key)
  await withTransaction(ctx.db, async trx => {
    await lockOwner(trx, repository.owner_id)
    if (!(await deleteRepository(trx, repository.id))) throw gone('repository')
    await recordEvent(trx, originOf(ctx), {
      kind: 'repository.deleted',
      ownerId: repository.owner_id,
      facts: { repositoryId: repository.id, name: repository.name, private: repository.is_private },
    })
  })
  await removeData(ctx, repository)
}

// The repository is gone for everybody: what of it cannot be removed now must not look like a failure.
async function removeData(ctx: UserCtx, { storage_key: storageKey }: RepositoryRow): Promise<void> {
  try {
    await removeBareRepository(ctx.config, storageKey)
  } catch (error) {
    ctx.log.error({ err: error, storageKey }, 'a deleted repository is still on the disk, left to the sweep')
  }
}
