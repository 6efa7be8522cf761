import { withTransaction } from '@/db/transaction'
import { type Facts, originOf, recordEvent } from '@/server/events'
import { anonymous } from '@/server/kernel/caller'
import type { UserCtx } from '@/server/kernel/ctx'
import { gone } from '@/server/kernel/errors'
import type { RepositoryFor } from './load'
import type { ownership } from './policy'
import { noteIntent, removeBareRepository } from './storage'
import type { RepositoryRow } from './store'
import { deleteRepository, lockOwner, lockRepository } from './store'
import { announceToRecipient } from './transfer/record'
import { asOwner, viewRepositoryAs } from './view'

/**
 * Deletes a repository with all that belongs to it, and its git data once that is certain.
 * @throws {DomainError} notFound when it is deleted concurrently.
 */
export async function removeRepository(
  ctx: UserCtx,
  { repository, owner }: RepositoryFor<typeof ownership>,
): Promise<void> {
  await noteIntent(ctx.config, repository.storage_key)
  await withTransaction(ctx.db, async trx => {
    await lockOwner(trx, repository.owner_id)
    const current = await lockRepository(trx, repository.id)
    // Its new owner decides on it, where there is one since.
    if (current?.owner_id !== repository.owner_id) throw gone('repository')
    await announceToRecipient(trx, current)
    const deleted = await deleteRepository(trx, repository.id)
    if (!deleted) throw gone('repository')
    const { id, name, is_private, owner_id: ownerId } = deleted
    const shown = viewRepositoryAs({ ...ctx, caller: anonymous }, { repository: deleted, owner }, asOwner)
    await recordEvent(trx, originOf(ctx), {
      kind: 'repository.deleted',
      ownerId,
      facts: { repositoryId: id, name, private: is_private, shown: shown as Facts },
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
