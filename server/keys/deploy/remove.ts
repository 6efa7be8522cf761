import type { Transaction } from 'kysely'
import type { Database } from '@/db/tables'
import { RetryTransaction, withTransaction } from '@/db/transaction'
import { originOf, recordEvents } from '@/server/events'
import type { UserCtx } from '@/server/kernel/ctx'
import { deleted } from '@/server/kernel/errors'
import { type administration, lockRepository, type RepositoryFor } from '@/server/repos'
import { keepAccounts } from '@/server/users'
import { deployKeyFacts } from './facts'
import { deleteDeployKeys, selectDeployKeysAmong, selectDeployments } from './store'

/**
 * Deletes a deploy key of a repository; other repositories that have the key keep it.
 * @throws {DomainError} notFound, also for one of another repository.
 */
export async function removeDeployKey(
  ctx: UserCtx,
  found: RepositoryFor<typeof administration>,
  id: number,
): Promise<void> {
  if ((await remove(ctx, found, [id])) === 0) throw deleted('key')
}

/**
 * Deletes several deploy keys of a repository at once, as `removeDeployKey` does; those that it does not have anymore are
 * passed over, and all of them where the repository was given away concurrently. Returns how many were deleted.
 */
export async function removeDeployKeys(
  ctx: UserCtx,
  found: RepositoryFor<typeof administration>,
  ids: readonly number[],
): Promise<number> {
  return await remove(ctx, found, ids)
}

/** Returns how many there were. */
async function remove(
  ctx: UserCtx,
  found: RepositoryFor<typeof administration>,
  ids: readonly number[],
): Promise<number> {
  return await withTransaction(ctx.db, async trx => {
    await keepAccounts(trx, [originOf(ctx).actorId])
    const repository = await lockRepository(trx, found.repository.id)
    // Its new owner decides on the keys, where there is one since.
    if (repository?.owner_id !== found.owner.id) return 0
    const rows = await selectDeployKeysAmong(trx, repository.id, ids)
    await deleteDeployKeys(
      trx,
      rows.map(row => row.id),
    )
    await recordEvents(
      trx,
      originOf(ctx),
      rows.map(row => ({
        kind: 'deploy_key.removed',
        ownerId: repository.owner_id,
        repositoryId: repository.id,
        facts: deployKeyFacts(repository.id, row),
      })),
    )
    return rows.length
  })
}

/**
 * Records that keys are taken from all repositories that have them, in the transaction that is about to delete them. They
 * are those of `locked`, as locked before the keys themselves.
 */
export async function recordRemovalEverywhere(
  trx: Transaction<Database>,
  ctx: UserCtx,
  keyIds: readonly number[],
  locked: ReadonlySet<number>,
): Promise<void> {
  if (keyIds.length === 0) return
  const deployments = await selectDeployments(trx, keyIds)
  // One was added to one more in between, which must be locked before the key as well.
  if (deployments.some(({ repository_id: id }) => !locked.has(id))) throw new RetryTransaction()
  await recordEvents(
    trx,
    originOf(ctx),
    deployments.map(row => ({
      kind: 'deploy_key.removed',
      ownerId: row.owner_id,
      repositoryId: row.repository_id,
      facts: deployKeyFacts(row.repository_id, row),
    })),
  )
}
