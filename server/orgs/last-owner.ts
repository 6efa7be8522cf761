import type { Transaction } from 'kysely'
import type { Database } from '@/db/tables'
import { unprocessable } from '@/server/kernel/errors'
import { lockOrg } from './lock'
import { selectTwoOwners } from './member-store'

/**
 * Throws unprocessable when the organization would be left without an owner by this person. Holds the organization until
 * the transaction ends, so that two owners cannot each leave to "the other".
 */
export async function requireAnotherOwner(
  trx: Transaction<Database>,
  orgId: number,
  userId: number,
): Promise<void> {
  await lockOrg(trx, orgId)
  const owners = await selectTwoOwners(trx, orgId, userId)
  if (owners.length === 1 && owners[0] === userId) {
    throw unprocessable(
      'this is the last owner of the organization; add somebody else to its Owners team first, or delete the organization',
      { reason: { code: 'lastOwner', name: null, organization: null } },
    )
  }
}
