import type { Transaction } from 'kysely'
import type { Database } from '@/db/tables'
import { withTransaction } from '@/db/transaction'
import type { Account } from '@/server/kernel/auth/account'
import type { UserCtx } from '@/server/kernel/ctx'
import { unprocessable } from '@/server/kernel/errors'
import { recordEvent } from '@/server/kernel/events/record'
import { getPerson } from './find'
import { explainGone } from './gone'
import { requireAnotherAdmin } from './last-admin'
import { requireOwnsNothing } from './owns-nothing'
import { deleteUser, isInAnother, lockOrganizationsOf } from './store'

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
    let done = false
    while (!done) done = await withTransaction(ctx.db, trx => removeHeld(ctx, trx, account))
  } catch (error) {
    throw explainGone(error)
  }
}

/** False when they joined an organization before they could be held: it has to be locked first, so all is begun anew. */
async function removeHeld(ctx: UserCtx, trx: Transaction<Database>, account: Account): Promise<boolean> {
  const organizations = await lockOrganizationsOf(trx, account.id)
  await requireAnotherAdmin(trx, account.id)
  if (await isInAnother(trx, account.id, organizations)) return false
  await requireOwnsNothing(trx, account)
  await deleteUser(trx, account.id)
  await recordEvent(ctx, trx, { kind: 'user.deleted', ownerId: null, facts: { name: account.name } })
  return true
}
