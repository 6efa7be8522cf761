import { withTransaction } from '@/db/transaction'
import type { UserCtx } from '@/server/kernel/ctx'
import { unprocessable } from '@/server/kernel/errors'
import { recordEvent } from '@/server/kernel/events/record'
import { getAccount, noSuchUser } from './find'
import { explainGone } from './gone'
import { requireAnotherAdmin } from './last-admin'
import { deleteUser } from './store'

/**
 * Deletes an account with its keys, tokens and sessions, on behalf of an administrator.
 * Throws notFound, and unprocessable for one's own account or the last administrator.
 */
export async function removeUser(ctx: UserCtx, name: string): Promise<void> {
  const account = await getAccount(ctx, name)
  if (account.id === ctx.caller.user.id) {
    throw unprocessable('you cannot delete your own account; another administrator can')
  }
  try {
    await withTransaction(ctx.db, async trx => {
      await requireAnotherAdmin(trx, account.id)
      if (!(await deleteUser(trx, account.id))) throw noSuchUser(name)
      await recordEvent(ctx, trx, { kind: 'user.deleted', ownerId: null, facts: { name: account.name } })
    })
  } catch (error) {
    throw explainGone(error)
  }
}
