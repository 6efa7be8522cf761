import type { Transaction } from 'kysely'
import type { Database } from '@/db/tables'
import { withTransaction } from '@/db/transaction'
import type { Account } from '@/server/kernel/auth/account'
import { findPersonByName } from '@/server/kernel/auth/find-account'
import { isSelf } from '@/server/kernel/caller'
import type { UserCtx } from '@/server/kernel/ctx'
import { unprocessable } from '@/server/kernel/errors'
import { type Departure, departure, endedOf, explainGone, getVisibleAccount } from '@/server/users'
import { loadOrganization, type OrganizationWithAccess } from '../load'
import { requireOwner } from '../policy'
import { lockOrg } from '../store'
import { endMemberships } from './end-memberships'
import { selectTeamNames, selectTwoOwners } from './store'

/**
 * Takes somebody out of the organization, its teams and the collaborations on its repositories, for its owners;
 * members may leave by themselves. Nothing happens when they were not in it. Returns what ended.
 * @throws {DomainError} notFound; forbidden; unprocessable for the last owner.
 */
export async function removeMember(
  ctx: UserCtx,
  input: { org: string; username: string },
): Promise<Departure> {
  const found = await loadOrganization(ctx, input.org, 'membership')
  const account = await findPersonByName(ctx.db, input.username)
  if (!account || !isSelf(ctx.caller, account.id)) requireOwner(found)
  const ended = account && (await takeOut(ctx, found, account))
  if (ended) return ended
  // Whoever is no member is shown no better than anywhere else.
  await getVisibleAccount(ctx, input.username)
  return departure()
}

async function takeOut(
  ctx: UserCtx,
  { org }: OrganizationWithAccess,
  account: Account,
): Promise<Departure | undefined> {
  try {
    return await withTransaction(ctx.db, async trx => {
      await requireAnotherOwner(trx, org.id, account.id)
      const teams = await selectTeamNames(trx, org.id, account.id)
      const { left, collaborations } = await endMemberships(trx, ctx, org, { ids: [account.id] })
      if (left.length === 0) return undefined
      return departure({
        people: endedOf([account.name]),
        organizations: endedOf([org.name]),
        teams: endedOf(teams),
        collaborations: endedOf(collaborations),
      })
    })
  } catch (error) {
    throw explainGone(error)
  }
}

/**
 * Requires that the organization keeps an owner without this person. Locks it until the transaction ends, so that two
 * owners cannot each leave to "the other".
 * @throws {DomainError} unprocessable for the last owner.
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
