import { withTransaction } from '@/db/transaction'
import type { UserCtx } from '@/server/kernel/ctx'
import { invalid } from '@/server/kernel/errors'
import { recordEvent } from '@/server/kernel/events/record'
import { getAccount } from '@/server/users'
import { deleteBlock } from './store'

/** Lifts a block. Throws notFound for an unknown name, invalid for somebody who is not blocked. */
export async function unblockUser(ctx: UserCtx, username: string): Promise<void> {
  const me = ctx.caller.user
  const account = await getAccount(ctx, username)
  await withTransaction(ctx.db, async trx => {
    if (!(await deleteBlock(trx, me.id, account.id))) {
      throw invalid('cannot unblock the user: you do not block them')
    }
    await recordEvent(ctx, trx, { kind: 'user.unblocked', ownerId: me.id, facts: { name: account.name } })
  })
}
