import type { Transaction } from 'kysely'
import type { Database } from '@/db/tables'
import { withTransaction } from '@/db/transaction'
import type { UserCtx } from '@/server/kernel/ctx'
import { lockOrg } from '@/server/orgs'
import { mapForeignKeyError } from '@/server/users'

/**
 * Changes the teams of an organization in one transaction that first locks the organization, so that changes follow
 * each other: its counts would make them wait anyway, and locked first it prevents deadlocks.
 * @throws {DomainError} notFound when the organization or the caller is deleted concurrently.
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
