import type { Transaction } from 'kysely'
import type { Database } from '@/db/tables'
import { withTransaction } from '@/db/transaction'
import { reauthenticate } from '@/server/auth/reauthenticate'
import { type Facts, originOf, recordEvent } from '@/server/events'
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
 * Deletes a repository with all that belongs to it, and its git data once that is certain.
 * @throws {DomainError} notFound when it is deleted concurrently, or got another owner.
 */
export async function removeRepository(ctx: UserCtx, found: Owned): Promise<void> {
  if (!(await remove(ctx, found))) throw deleted('repository')
}

/**
 * Deletes several repositories, one after another, with all that belongs to them, and their git data once that is certain.
 * What the caller cannot see, and what got another owner meanwhile, is passed over. Where one cannot be deleted, the rest
 * is not tried, and neither once the caller has lost what allows it, or `check` throws with the owner locked.
 * @throws {DomainError} forbidden, and nothing is deleted, for callers who do not own all of them.
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
        ctx.log.error({ err: error, repository: id }, 'a repository cannot be deleted')
      return { removed, left: found.slice(index).map(({ repository }) => repository.id) }
    }
  }
  return { removed, left: [] }
}

/** In a transaction of its own: until it ends, its owner can create, rename and give away nothing. */
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
    // Its new owner decides on it, where there is one since.
    if (repository?.owner_id !== owner.id) return undefined
    // The repositories before it took their time, in which the caller may have lost what allowed it.
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

// The repository is gone for everybody: what of it cannot be removed now must not look like a failure.
async function removeData(ctx: UserCtx, { storage_key: storageKey }: RepositoryRow): Promise<void> {
  try {
    await removeBareRepository(ctx.config, storageKey)
  } catch (error) {
    ctx.log.error({ err: error, storageKey }, 'a deleted repository is still on the disk, left to the sweep')
  }
}
