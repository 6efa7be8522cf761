import { withTransaction } from '@/db/transaction'
import { originOf, recordEvent } from '@/server/events'
import { type Account, findPersonByName } from '@/server/kernel/account'
import type { UserCtx } from '@/server/kernel/ctx'
import { invalid } from '@/server/kernel/errors'
import { loadOrganization } from '@/server/orgs'
import { getVisibleAccount, mapForeignKeyError } from '@/server/users'
import { deleteBlock } from './store'

/**
 * Lifts a block of the caller's, even from an account that is hidden by now.
 * @throws {DomainError} invalid for somebody who is not blocked; notFound for a name that is absent or hidden.
 */
export async function unblockUser(ctx: UserCtx, username: string): Promise<void> {
  await unblock(ctx, ctx.caller.user, username)
}

/**
 * Lifts a block of an organization's, on behalf of one of its owners.
 * @throws {DomainError} invalid for somebody who is not blocked; notFound for a name that is absent or hidden;
 * forbidden.
 */
export async function unblockForOrg(ctx: UserCtx, input: { org: string; username: string }): Promise<void> {
  await unblock(ctx, (await loadOrganization(ctx, input.org, 'ownership')).org, input.username)
}

async function unblock(ctx: UserCtx, blocker: Account, username: string): Promise<void> {
  const account = await findPersonByName(ctx.db, username)
  if (account && (await lift(ctx, blocker, account))) return
  // Whoever is not blocked is shown no better than anywhere else.
  await getVisibleAccount(ctx, username)
  throw invalid('cannot unblock the user: they are not blocked', { reason: { code: 'notBlocked' } })
}

async function lift(ctx: UserCtx, blocker: Account, blocked: Account): Promise<boolean> {
  try {
    return await withTransaction(ctx.db, async trx => {
      if (!(await deleteBlock(trx, blocker.id, blocked.id))) return false
      const facts = { userId: blocked.id, name: blocked.name }
      await recordEvent(trx, originOf(ctx), { kind: 'user.unblocked', ownerId: blocker.id, facts })
      return true
    })
  } catch (error) {
    throw mapForeignKeyError(error)
  }
}
