import type { Transaction } from 'kysely'
import type { Database } from '@/db/tables'
import { withTransaction } from '@/db/transaction'
import type { UserCtx } from '@/server/kernel/ctx'
import { lockOrg } from '@/server/orgs'
import { mapForeignKeyError } from '@/server/users'

/**
 * Runs a change to an organization's teams in one transaction that locks the organization first. Changes to
 * the same organization therefore run one after another. They all update the organization's counts, so
 * locking it first also prevents deadlocks.
 * @throws {DomainError} notFound if the organization or the caller is deleted concurrently.
 */
export async function changeTeams<T>(
  ctx: UserCtx,
  orgId: number,
  change: (trx: Transaction<Database>) => Promise<T>,
): Promise<T> {
  try {
    return await withTransaction(ctx.db, async trx => {
      await lockOrg(trx, orgId)
      return await change(trx)
    })
  } catch (error) {
    throw mapForeignKeyError(error)
  }
}
