import { withTransaction } from '@/db/transaction'
import type { Account } from '@/server/kernel/auth/account'
import { findAccountByName } from '@/server/kernel/auth/find-account'
import type { UserCtx } from '@/server/kernel/ctx'
import { invalid } from '@/server/kernel/errors'
import { recordEvent } from '@/server/kernel/events/record'
import { getVisibleAccount } from '@/server/users'
import { deleteBlock } from './store'

/**
 * Lifts a block, even from an account that is hidden by now.
 * Throws invalid for somebody who is not blocked, notFound for a name unknown or not visible.
 */
export async function unblockUser(ctx: UserCtx, username: string): Promise<void> {
  const account = await findAccountByName(ctx.db, username)
  if (account && (await lift(ctx, account))) return
  // Whoever is not blocked is shown no better than anywhere else.
  await getVisibleAccount(ctx, username)
  throw invalid('cannot unblock the user: you do not block them')
}

async function lift(ctx: UserCtx, blocked: Account): Promise<boolean> {
  const me = ctx.caller.user
  return await withTransaction(ctx.db, async trx => {
    if (!(await deleteBlock(trx, me.id, blocked.id))) return false
    await recordEvent(ctx, trx, { kind: 'user.unblocked', ownerId: me.id, facts: { name: blocked.name } })
    return true
  })
}
