import { withTransaction } from '@/db/transaction'
import { originOf, recordEvent } from '@/server/events'
import { type Account, findPersonByName } from '@/server/kernel/account'
import type { UserCtx } from '@/server/kernel/ctx'
import { invalid } from '@/server/kernel/errors'
import { loadOrganization } from '@/server/orgs'
import { getVisibleAccount, mapForeignKeyError } from '@/server/users'
import { deleteBlock } from './store'

/**
 * Removes one of the caller's blocks, even if the blocked account has since become hidden.
 * @throws {DomainError} invalid if the person is not blocked; notFound if the name is unknown or hidden.
 */
export async function unblockUser(ctx: UserCtx, username: string): Promise<void> {
  await unblock(ctx, ctx.caller.user, username)
}

/**
 * Removes one of an organization's blocks. The caller must own the organization.
 * @throws {DomainError} invalid if the person is not blocked; notFound if the name is unknown or hidden;
 * forbidden if the caller does not own the organization.
 */
export async function unblockForOrg(ctx: UserCtx, input: { org: string; username: string }): Promise<void> {
  await unblock(ctx, (await loadOrganization(ctx, input.org, 'ownership')).org, input.username)
}

async function unblock(ctx: UserCtx, blocker: Account, username: string): Promise<void> {
  const account = await findPersonByName(ctx.db, username)
  if (account && (await lift(ctx, blocker, account))) return
  // A hidden account that is not blocked must not be revealed here.
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
