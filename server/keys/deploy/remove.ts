import type { Transaction } from 'kysely'
import type { Database } from '@/db/tables'
import { RetryTransaction, withTransaction } from '@/db/transaction'
import { originOf, recordEvent, recordEvents } from '@/server/events'
import type { UserCtx } from '@/server/kernel/ctx'
import { gone } from '@/server/kernel/errors'
import { type administration, lockRepository, type RepositoryFor } from '@/server/repos'
import { deployKeyFacts } from './facts'
import { deleteDeployKey, findDeployKey, selectDeployments } from './store'

/**
 * Deletes a deploy key of a repository; other repositories that have the key keep it.
 * @throws {DomainError} notFound, also for one of another repository.
 */
export async function removeDeployKey(
  ctx: UserCtx,
  found: RepositoryFor<typeof administration>,
  id: number,
): Promise<void> {
  await withTransaction(ctx.db, async trx => {
    const repository = await lockRepository(trx, found.repository.id)
    const row = repository && (await findDeployKey(trx, repository.id, id))
    if (!row) throw gone('key')
    await deleteDeployKey(trx, row.id)
    await recordEvent(trx, originOf(ctx), {
      kind: 'deploy_key.removed',
      ownerId: repository.owner_id,
      repositoryId: repository.id,
      facts: deployKeyFacts(repository.id, row),
    })
  })
}

/**
 * Records that a key is taken from all repositories that have it, in the transaction that is about to delete it. They are
 * those of `locked`, as locked before the key itself.
 */
export async function recordRemovalEverywhere(
  trx: Transaction<Database>,
  ctx: UserCtx,
  keyId: number,
  locked: ReadonlySet<number>,
): Promise<void> {
  const deployments = await selectDeployments(trx, keyId)
  // It was added to one more in between, which must be locked before the key as well.
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
