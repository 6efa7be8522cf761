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
 * Removes a person from an organization and its teams, and ends their collaborations on its repositories.
 * Owners can remove anyone, and members can remove themselves. Does nothing if the person is not a member.
 * Returns the memberships and collaborations that ended.
 * @throws {DomainError} notFound if the organization or the person does not exist for the caller; forbidden
 * if the caller is neither an owner nor the person; unprocessable if the person is the last owner.
 */
export async function removeMember(ctx: UserCtx, input: { org: string; username: string }): Promise<Removal> {
  const found = await loadOrganization(ctx, input.org, 'membership')
  const account = await findPersonByName(ctx.db, input.username)
  if (!account || !isSelf(ctx.caller, account.id)) requireOwner(found)
  const ended = account && (await takeOut(ctx, found, [account]))
  if (ended) return ended
  // A hidden account that is not a member must not be revealed here.
  await getVisibleAccount(ctx, input.username)
  return removal()
}

/**
 * Removes several people from an organization and its teams, and ends their collaborations on its
 * repositories. The caller must own the organization. People who are not members are skipped. Returns the
 * memberships and collaborations that ended.
 * @throws {DomainError} notFound if the organization does not exist for the caller; forbidden if the caller
 * does not own it; unprocessable if no owner would be left.
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
 * Checks that the organization still has an owner without these people. Locks the organization until the end
 * of the transaction, so that the last two owners cannot leave at the same time.
 * @throws {DomainError} unprocessable if no owner would be left.
 */
export async function requireAnotherOwner(
  trx: Transaction<Database>,
  orgId: number,
  userIds: readonly number[],
): Promise<void> {
  await lockOrg(trx, orgId)
  if (await hasOwnerBesides(trx, orgId, userIds)) return
  throw unprocessable(
    'this is the last owner of the organization; add someone else to its Owners team first, or delete the organization',
    { reason: { code: 'lastOwner', name: null, organization: null } },
  )
}
