import type { Transaction } from 'kysely'
import type { Database } from '@/db/tables'
import { withTransaction } from '@/db/transaction'
import { originOf, recordEvent } from '@/server/events'
import { findAccountById } from '@/server/kernel/account'
import type { UserCtx } from '@/server/kernel/ctx'
import { deleted } from '@/server/kernel/errors'
import { lockRepository } from '@/server/repos'
import { keepAccounts, lockAccounts, mapForeignKeyError } from '@/server/users'
import type { LabelHolderFor } from './load'

const changed = 'labels'

/**
 * Changes labels in a transaction that locks the repository or organization. The work calls `record` if it changes
 * something.
 * @throws {DomainError} notFound if the repository or organization is deleted or transferred concurrently.
 */
export async function changeLabels<T>(
  ctx: UserCtx,
  holder: LabelHolderFor,
  work: (trx: Transaction<Database>, record: () => Promise<void>) => Promise<T>,
): Promise<T> {
  try {
    return await withTransaction(ctx.db, async trx => {
      const record =
        holder.ref.repository_id === null
          ? await lockOrg(ctx, trx, holder.ref.org_id)
          : await lockRepo(ctx, trx, holder.ref.repository_id, holder.ownerId)
      return await work(trx, record)
    })
  } catch (error) {
    throw mapForeignKeyError(error)
  }
}

async function lockRepo(
  ctx: UserCtx,
  trx: Transaction<Database>,
  repositoryId: number,
  ownerId: number,
): Promise<() => Promise<void>> {
  await keepAccounts(trx, [originOf(ctx).actorId])
  const repository = await lockRepository(trx, repositoryId)
  if (repository?.owner_id !== ownerId) throw deleted('repository')
  const { name } = repository
  const facts = { repositoryId, name, formerName: name, changed }
  return () => recordEvent(trx, originOf(ctx), { kind: 'repository.edited', ownerId, repositoryId, facts })
}

async function lockOrg(
  ctx: UserCtx,
  trx: Transaction<Database>,
  orgId: number,
): Promise<() => Promise<void>> {
  await lockAccounts(trx, [orgId, originOf(ctx).actorId])
  const org = await findAccountById(trx, orgId)
  if (!org) throw deleted('organization')
  const facts = { orgId, name: org.name, changed }
  return () => recordEvent(trx, originOf(ctx), { kind: 'org.edited', ownerId: orgId, facts })
}
