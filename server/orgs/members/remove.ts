import type { Transaction } from 'kysely'
import type { Database } from '@/db/tables'
import { withTransaction } from '@/db/transaction'
import { type Account, findPeopleByName, findPersonByName } from '@/server/kernel/account'
import { isSelf } from '@/server/kernel/caller'
import type { UserCtx } from '@/server/kernel/ctx'
import { unprocessable } from '@/server/kernel/errors'
import { endedOf, getVisibleAccount, mapForeignKeyError, type Removal, removal } from '@/server/users'
import { loadOrganization, type OrganizationWithAccess } from '../load'
import { requireOwner } from '../policy'
import { lockOrg } from '../store'
import { endMemberships } from './end-memberships'
import { hasOwnerBesides } from './store'

/**
 * Takes somebody out of the organization, its teams and the collaborations on its repositories, for its owners;
 * members may leave by themselves. Nothing happens when they were not in it. Returns what ended.
 * @throws {DomainError} notFound; forbidden; unprocessable for the last owner.
 */
export async function removeMember(ctx: UserCtx, input: { org: string; username: string }): Promise<Removal> {
  const found = await loadOrganization(ctx, input.org, 'membership')
  const account = await findPersonByName(ctx.db, input.username)
  if (!account || !isSelf(ctx.caller, account.id)) requireOwner(found)
  const ended = account && (await takeOut(ctx, found, [account]))
  if (ended) return ended
  // Whoever is no member is shown no better than anywhere else.
  await getVisibleAccount(ctx, input.username)
  return removal()
}

/**
 * Takes several people out of the organization at once, for its owners; whoever is not in it is passed over. Returns what
 * ended.
 * @throws {DomainError} notFound; forbidden; unprocessable where no owner would be left.
 */
export async function removeMembers(
  ctx: UserCtx,
  input: { org: string; usernames: readonly string[] },
): Promise<Removal> {
  const found = await loadOrganization(ctx, input.org, 'ownership')
  const people = await findPeopleByName(ctx.db, input.usernames)
  return (await takeOut(ctx, found, people)) ?? removal()
}

async function takeOut(
  ctx: UserCtx,
  { org }: OrganizationWithAccess,
  people: readonly Account[],
): Promise<Removal | undefined> {
  const ids = people.map(({ id }) => id)
  try {
    return await withTransaction(ctx.db, async trx => {
      await requireAnotherOwner(trx, org.id, ids)
      const { left, teams, collaborations } = await endMemberships(trx, ctx, org, { ids })
      if (left.length === 0) return undefined
      return removal({
        people: endedOf(left.map(({ name }) => name)),
        organizations: endedOf([org.name]),
        teams: endedOf(teams),
        collaborations: endedOf(collaborations),
      })
    })
  } catch (error) {
    throw mapForeignKeyError(error)
  }
}

/**
 * Requires that the organization keeps an owner without these people. Locks it until the transaction ends, so that two
 * owners cannot each leave to "the other".
 * @throws {DomainError} unprocessable where no owner would be left.
 */
export async function requireAnotherOwner(
  trx: Transaction<Database>,
  orgId: number,
  userIds: readonly number[],
): Promise<void> {
  await lockOrg(trx, orgId)
  if (await hasOwnerBesides(trx, orgId, userIds)) return
  throw unprocessable(
    'this is the last owner of the organization; add somebody else to its Owners team first, or delete the organization',
    { reason: { code: 'lastOwner', name: null, organization: null } },
  )
}
