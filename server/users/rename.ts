import { withTransaction } from '@/db/transaction'
import { originOf, recordEvent } from '@/server/events'
import type { Account } from '@/server/kernel/account'
import { isAdmin } from '@/server/kernel/caller'
import type { AdminCtx, UserCtx } from '@/server/kernel/ctx'
import { notFound, unprocessable } from '@/server/kernel/errors'
import { isFeatureDisabled } from '@/server/kernel/features'
import { mapUniqueError } from './errors'
import { noSuchUser } from './find'
import { leaveName, takeName } from './former-name'
import { checkName, checkNewName } from './name'
import type { RenameMeInput, RenameUserOption } from './schema'
import { lockUser, updateUser } from './store'

/**
 * Renames a person, on behalf of an administrator; the old name leads to them until another account takes it, which others
 * may after 30 days.
 * @throws {DomainError} notFound when the account is gone by now; unprocessable for a name that is taken or not allowed,
 * and for an account of a directory.
 */
export async function renameUser(
  ctx: AdminCtx,
  account: Account,
  input: Pick<RenameUserOption, 'new_username'>,
): Promise<void> {
  await rename(ctx, account, input.new_username)
}

/**
 * Renames the caller, like `renameUser`.
 * @throws {DomainError} as `renameUser`, and notFound where people with the caller's kind of login may not do that here.
 */
export async function renameMe(ctx: UserCtx, input: RenameMeInput): Promise<void> {
  if (!mayRename(ctx)) throw notFound('user name is not allowed to be changed')
  if (!isAdmin(ctx.caller)) checkNewName(input.new_username)
  await rename(ctx, ctx.caller.user, input.new_username)
}

/** Whether the caller may choose another name: a directory's account may not, nor where that is turned off. */
export function mayRename({ config, caller: { user } }: UserCtx): boolean {
  return user.login_type === 'local' && !isFeatureDisabled(config, user.login_type, 'change_username')
}

async function rename(ctx: UserCtx, { id, name }: Account, to: string): Promise<void> {
  checkName(to)
  try {
    await withTransaction(ctx.db, async trx => {
      // As it is now: another rename may have come first.
      const current = await lockUser(trx, id)
      if (!current) throw noSuchUser(name)
      const { name: from, login_type } = current
      if (from === to) return
      if (login_type !== 'local') {
        throw unprocessable(`the account gets its name where it signs in [name: ${from}]`, {
          reason: { code: 'nameOfDirectory' },
        })
      }
      await updateUser(trx, id, { name: to })
      await takeName(ctx, trx, { id, name: to })
      if (from.toLowerCase() !== to.toLowerCase()) await leaveName(trx, from, id, ctx.clock.now())
      await recordEvent(trx, originOf(ctx), {
        kind: 'user.renamed',
        ownerId: id,
        facts: { userId: id, from, to },
      })
    })
  } catch (error) {
    throw mapUniqueError(error, to, '')
  }
}
