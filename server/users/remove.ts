import { withTransaction } from '@/db/transaction'
import type { UserCtx } from '@/server/kernel/ctx'
import { unprocessable } from '@/server/kernel/errors'
import { recordEvent } from '@/server/kernel/events/record'
import { getPerson } from './find'
import { explainGone } from './gone'
import { requireAnotherAdmin } from './last-admin'
import { requireOwnsNothing } from './owns-nothing'
import { deleteUser } from './store'

/**
 * Deletes an account with its keys, tokens and sessions, on behalf of an administrator.
 * Throws notFound, and unprocessable for one's own account, the last administrator, an owner of repositories or the
 * last owner of an organization.
 */
export async function removeUser(ctx: UserCtx, name: string): Promise<void> {
  const account = await getPerson(ctx, name)
  if (account.id === ctx.caller.user.id) {
    throw unprocessable('you cannot delete your own account; another administrator can')
  }
  try {
    await withTransaction(ctx.db, async trx => {
      await requireAnotherAdmin(trx, account.id)
      await requireOwnsNothing(trx, account)
      await deleteUser(trx, account.id)
      await recordEvent(ctx, trx, { kind: 'user.deleted', ownerId: null, facts: { name: account.name } })
    })
  } catch (error) {
    throw explainGone(error)
  }
}
