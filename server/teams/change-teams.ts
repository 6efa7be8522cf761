import type { Transaction } from 'kysely'
import type { Database } from '@/db/tables'
import { withTransaction } from '@/db/transaction'
import type { UserCtx } from '@/server/kernel/ctx'
import { lockOrg } from '@/server/orgs'
import { explainGone } from '@/server/users'

/**
 * Changes the teams of an organization in one transaction, one change after the other: the counts kept with it make
 * them wait for each other anyway, and taken first it lets no two of them wait in a circle.
 * Throws notFound when the organization, or who acts, is gone meanwhile.
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
    throw explainGone(error)
  }
}
