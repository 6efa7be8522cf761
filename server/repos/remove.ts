import { withTransaction } from '@/db/transaction'
import { type Facts, type NewEvent, originOf, recordEvents } from '@/server/events'
import { anonymous } from '@/server/kernel/caller'
import type { UserCtx } from '@/server/kernel/ctx'
import { gone } from '@/server/kernel/errors'
import { lockAccounts } from '@/server/users'
import { loadRepositories, type RepositoryFor } from './load'
import { ownership } from './policy'
import { noteIntent, removeBareRepository } from './storage'
import type { RepositoryRow } from './store'
import { deleteRepositories, lockRepositories } from './store'
import { announceToRecipient } from './transfer/record'
import { asOwner, viewRepositoryAs } from './view'

type Owned = RepositoryFor<typeof ownership>

/**
 * Deletes a repository with all that belongs to it, and its git data once that is certain.
 * @throws {DomainError} notFound when it is deleted concurrently.
 */
export async function removeRepository(ctx: UserCtx, found: Owned): Promise<void> {
  const removed = await remove(ctx, [found])
  if (removed.length === 0) throw gone('repository')
}

/**
 * Deletes several repositories at once with all that belongs to them, and their git data once that is certain. Returns their
 * ids; what the caller cannot see, and what got another owner meanwhile, is passed over.
 * @throws {DomainError} forbidden, and nothing is deleted, for callers who do not own all of them.
 */
export async function removeRepositories(
  ctx: UserCtx,
  { ids }: { ids: readonly number[] },
): Promise<number[]> {
  return await remove(ctx, await loadRepositories(ctx, ids, ownership))
}

async function remove(ctx: UserCtx, found: readonly Owned[]): Promise<number[]> {
  for (const { repository } of found) await noteIntent(ctx.config, repository.storage_key)
  const owners = new Map(found.map(({ repository, owner }) => [repository.id, owner]))
  const removed = await withTransaction(ctx.db, async trx => {
    await lockAccounts(trx, [...found.map(({ owner }) => owner.id), originOf(ctx).actorId])
    const rows = await lockRepositories(trx, [...owners.keys()])
    // Its new owner decides on a repository, where there is one since.
    const deleted = rows.filter(row => row.owner_id === owners.get(row.id)?.id)
    for (const row of deleted) await announceToRecipient(trx, row)
    await deleteRepositories(
      trx,
      deleted.map(({ id }) => id),
    )
    const events = deleted.flatMap((repository): NewEvent[] => {
      const owner = owners.get(repository.id)
      if (!owner) return []
      const { id, name, is_private, owner_id: ownerId } = repository
      const shown = viewRepositoryAs({ ...ctx, caller: anonymous }, { repository, owner }, asOwner)
      const facts = { repositoryId: id, name, private: is_private, shown: shown as Facts }
      return [{ kind: 'repository.deleted', ownerId, facts }]
    })
    await recordEvents(trx, originOf(ctx), events)
    return deleted
  })
  for (const repository of removed) await removeData(ctx, repository)
  return removed.map(({ id }) => id)
}

// The repository is gone for everybody: what of it cannot be removed now must not look like a failure.
async function removeData(ctx: UserCtx, { storage_key: storageKey }: RepositoryRow): Promise<void> {
  try {
    await removeBareRepository(ctx.config, storageKey)
  } catch (error) {
    ctx.log.error({ err: error, storageKey }, 'a deleted repository is still on the disk, left to the sweep')
  }
}
