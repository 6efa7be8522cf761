import type { Transaction } from 'kysely'
import type { Database } from '@/db/tables'
import { withTransaction } from '@/db/transaction'
import { reauthenticate } from '@/server/auth/reauthenticate'
import { type Facts, originOf, recordEvent } from '@/server/events'
import { isBackupRunning } from '@/server/kernel/backup-hold'
import { anonymous } from '@/server/kernel/caller'
import type { UserCtx } from '@/server/kernel/ctx'
import { deleted, isDomainError } from '@/server/kernel/errors'
import { lockAccounts } from '@/server/users'
import { loadRepositories, type RepositoryFor, repositoryWithAccess } from './load'
import { ownership, requireNeed } from './policy'
import type { RemovedRepos } from './schema'
import { noteIntent, removeBareRepository } from './storage'
import type { RepositoryRow } from './store'
import { deleteRepository, lockRepository } from './store'
import { announceToRecipient } from './transfer/record'
import { asOwner, viewRepositoryAs } from './view'

type Owned = RepositoryFor<typeof ownership>

/**
 * Deletes a repository with all its data. Its Git files are deleted after the transaction commits, or by the
 * cleanup job if a backup is running.
 * @throws {DomainError} notFound if it is deleted or transferred concurrently.
 */
export async function removeRepository(ctx: UserCtx, found: Owned): Promise<void> {
  if (!(await remove(ctx, found))) throw deleted('repository')
}

/**
 * Deletes several repositories one after another with all their data. Skips repositories that the caller
 * cannot see or that were transferred concurrently. Stops at the first repository that cannot be deleted,
 * that the caller is no longer allowed to delete, or for which `check`, called while the owner's row is
 * locked, throws.
 * @throws {DomainError} forbidden, without deleting anything, if the caller does not own all of them; also
 * the error at which the deletion stopped, if no repository was deleted before.
 */
export async function removeRepositories(
  ctx: UserCtx,
  { ids }: { ids: readonly number[] },
  check?: (trx: Transaction<Database>) => Promise<void>,
): Promise<RemovedRepos> {
  const found = await loadRepositories(ctx, ids, ownership)
  const removed: number[] = []
  for (const [index, one] of found.entries()) {
    try {
      if (await remove(ctx, one, check)) removed.push(one.repository.id)
    } catch (error) {
      if (removed.length === 0) throw error
      const { id } = one.repository
      if (!isDomainError(error))
        ctx.log.error({ err: error, repository: id }, 'a repository could not be deleted')
      return { removed, left: found.slice(index).map(({ repository }) => repository.id) }
    }
  }
  return { removed, left: [] }
}

/**
 * Uses one transaction per repository, because its owner cannot create, rename or transfer repositories until
 * the transaction ends.
 */
async function remove(
  ctx: UserCtx,
  { repository: { id, storage_key }, owner }: Owned,
  check?: (trx: Transaction<Database>) => Promise<void>,
): Promise<boolean> {
  await ctx.ownLocations.requireRepositories()
  await noteIntent(ctx.config, storage_key)
  const removed = await withTransaction(ctx.db, async trx => {
    await lockAccounts(trx, [owner.id, originOf(ctx).actorId])
    await check?.(trx)
    const repository = await lockRepository(trx, id)
    // If the repository was transferred in the meantime, its new owner decides whether to delete it.
    if (repository?.owner_id !== owner.id) return undefined
    // Deleting the preceding repositories took time, in which the caller can have lost permission.
    const now = { ...ctx, db: trx, caller: await reauthenticate({ ...ctx, db: trx }, ctx.caller) }
    requireNeed(await repositoryWithAccess(now, repository, owner), ownership)
    await announceToRecipient(trx, repository)
    await deleteRepository(trx, id)
    const { name, is_private } = repository
    const shown = viewRepositoryAs({ ...ctx, caller: anonymous }, { repository, owner }, asOwner)
    const facts = { repositoryId: id, name, private: is_private, shown: shown as Facts }
    await recordEvent(trx, originOf(ctx), { kind: 'repository.deleted', ownerId: owner.id, facts })
    return repository
  })
  if (removed) await removeData(ctx, removed)
  return removed !== undefined
}

// The repository is already deleted for all users, so failing to remove its files must not look like a failed
// deletion.
async function removeData(ctx: UserCtx, { storage_key: storageKey }: RepositoryRow): Promise<void> {
  try {
    // A running backup may still copy them, so they are left to the cleanup job.
    if (await isBackupRunning(ctx.db)) return
    await removeBareRepository(ctx.config, storageKey)
  } catch (error) {
    ctx.log.error(
      { err: error, storageKey },
      'the files of a deleted repository could not be removed; left to the cleanup job',
    )
  }
}
