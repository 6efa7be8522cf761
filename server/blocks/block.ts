import { withTransaction } from '@/db/transaction'
import type { UserCtx } from '@/server/kernel/ctx'
import { invalid } from '@/server/kernel/errors'
import { recordEvent } from '@/server/kernel/events/record'
import { explainGone, getVisibleAccount } from '@/server/users'
import { insertBlock } from './store'

/** Blocks the person named. Throws notFound, and invalid for oneself or somebody blocked already. */
export async function blockUser(ctx: UserCtx, input: { username: string; note?: string }): Promise<void> {
  const me = ctx.caller.user
  const account = await getVisibleAccount(ctx, input.username)
  if (account.id === me.id) {
    throw invalid('cannot block the user: that is you', { field: 'username' })
  }
  try {
    await withTransaction(ctx.db, async trx => {
      if (!(await insertBlock(trx, me.id, account.id, input.note ?? ''))) {
        throw invalid('cannot block the user: you block them already', { field: 'username' })
      }
      await recordEvent(ctx, trx, { kind: 'user.blocked', ownerId: me.id, facts: { name: account.name } })
    })
  } catch (error) {
    throw explainGone(error)
  }
}
