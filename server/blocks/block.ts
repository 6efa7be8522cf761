import type { Transaction } from 'kysely'
import type { Database } from '@/db/tables'
import { withTransaction } from '@/db/transaction'
import { originOf, recordEvent } from '@/server/events'
import type { Account } from '@/server/kernel/account'
import type { UserCtx } from '@/server/kernel/ctx'
import { type DomainError, deleted, invalid } from '@/server/kernel/errors'
import { isOrgMember, loadOrganization } from '@/server/orgs'
import {
  endCollaborations,
  endedOf,
  endOffers,
  getVisibleAccount,
  lockAccounts,
  mapForeignKeyError,
  type Removal,
  removal,
} from '@/server/users'
import { insertBlock } from './store'

/**
 * Blocks a person on behalf of the caller. Ends each side's collaborations on the other's repositories,
 * cancels pending transfers between the two, and returns the ended collaborations.
 * @throws {DomainError} notFound if the person does not exist for the caller; invalid for the caller's own
 * account, an organization, or someone who is already blocked.
 */
export async function blockUser(
  ctx: UserCtx,
  input: { username: string; note?: string | undefined },
): Promise<Removal> {
  return await block(ctx, ctx.caller.user, input)
}

/**
 * Blocks a person from an organization. The caller must own it. Ends each side's collaborations on the
 * other's repositories, cancels pending transfers between the two, and returns the ended collaborations.
 * @throws {DomainError} notFound if the organization or the person does not exist for the caller; forbidden
 * if the caller does not own the organization; invalid for the caller's own account, an organization, a
 * member, or someone who is already blocked.
 */
export async function blockForOrg(
  ctx: UserCtx,
  input: { org: string; username: string; note?: string | undefined },
): Promise<Removal> {
  return await block(ctx, (await loadOrganization(ctx, input.org, 'ownership')).org, input)
}

async function block(
  ctx: UserCtx,
  blocker: Account,
  input: { username: string; note?: string | undefined },
): Promise<Removal> {
  const blocked = await getVisibleAccount(ctx, input.username)
  if (blocked.kind === 'organization') {
    throw invalid('cannot block an organization: only user accounts can be blocked', {
      field: 'username',
      reason: { code: 'cannotBlock', why: 'organization' },
    })
  }
  if (blocked.id === ctx.caller.user.id) throw refuse('self', 'you cannot block yourself')
  try {
    return await withTransaction(ctx.db, async trx => {
      // The locks keep the blocked person from joining or being offered a repository concurrently.
      const locked = await lockAccounts(trx, [blocker.id, blocked.id, originOf(ctx).actorId])
      if (blocker.kind === 'organization') {
        if (!locked.has(blocker.id)) throw deleted('organization')
        if (await isOrgMember(trx, blocker.id, blocked.id)) {
          throw refuse('member', 'they are a member of the organization; remove them first')
        }
      }
      if (!(await insertBlock(trx, blocker.id, blocked.id, input.note ?? ''))) {
        throw refuse('blocked', 'they are already blocked')
      }
      const facts = { userId: blocked.id, name: blocked.name }
      await recordEvent(trx, originOf(ctx), { kind: 'user.blocked', ownerId: blocker.id, facts })
      await endOffers(ctx, trx, { between: [blocker.id, blocked.id] })
      return removal({ collaborations: endedOf(await endBetween(trx, ctx, blocker.id, blocked.id)) })
    })
  } catch (error) {
    throw mapForeignKeyError(error)
  }
}

async function endBetween(
  trx: Transaction<Database>,
  ctx: UserCtx,
  ...[one, other]: [number, number]
): Promise<string[]> {
  // In a fixed order, because two people may block each other at the same time.
  const [first, second] = one < other ? [one, other] : [other, one]
  return [
    ...(await endCollaborations(trx, ctx, { of: [second], ownerId: first })),
    ...(await endCollaborations(trx, ctx, { of: [first], ownerId: second })),
  ]
}

const refuse = (why: 'self' | 'member' | 'blocked', message: string): DomainError =>
  invalid(`cannot block the user: ${message}`, { field: 'username', reason: { code: 'cannotBlock', why } })
