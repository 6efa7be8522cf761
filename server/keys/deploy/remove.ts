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
 * Deletes a deploy key from a repository. Other repositories with the same key keep it.
 * @throws {DomainError} notFound, also if the key belongs to another repository.
 */
export async function removeDeployKey(
  ctx: UserCtx,
  found: RepositoryFor<typeof administration>,
  id: number,
): Promise<void> {
  if ((await remove(ctx, found, [id])) === 0) throw deleted('key')
}

/**
 * Deletes several deploy keys from a repository, as `removeDeployKey` does. Skips keys that the repository no longer
 * has, and all of them if the repository is transferred concurrently. Returns the number of deleted keys.
 */
export async function removeDeployKeys(
  ctx: UserCtx,
  found: RepositoryFor<typeof administration>,
  ids: readonly number[],
): Promise<number> {
  return await remove(ctx, found, ids)
}

/** Deletes the keys from the repository and records an event for each. Returns the number of deleted keys. */
async function remove(
  ctx: UserCtx,
  found: RepositoryFor<typeof administration>,
  ids: readonly number[],
): Promise<number> {
  return await withTransaction(ctx.db, async trx => {
    await keepAccounts(trx, [originOf(ctx).actorId])
    const repository = await lockRepository(trx, found.repository.id)
    // If the repository was transferred, its new owner decides about its keys.
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
 * Records an event for each repository from which a deploy key is removed, in the transaction that is about
 * to delete the keys. `locked` has the IDs of the repositories with these keys, which must be locked before
 * the keys.
 * @throws {RetryTransaction} if a key was added to another repository after the repositories were locked.
 */
export async function recordRemovalEverywhere(
  trx: Transaction<Database>,
  ctx: UserCtx,
  keyIds: readonly number[],
  locked: ReadonlySet<number>,
): Promise<void> {
  if (keyIds.length === 0) return
  const deployments = await selectDeployments(trx, keyIds)
  // A key may have been added to another repository in between, which must be locked before the key as well.
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
