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
 * Renames a person, on behalf of an administrator. The old name redirects to the new one until another
 * account takes the old name, which anyone can do after 30 days.
 * @throws {DomainError} notFound if the account was deleted; unprocessable if the name is in use or not
 * allowed, or a directory manages the account's name.
 */
export async function renameUser(
  ctx: AdminCtx,
  account: Account,
  input: Pick<RenameUserOption, 'new_username'>,
): Promise<void> {
  await rename(ctx, account, input.new_username)
}

/**
 * Renames the caller. The old name redirects to the new one, as with `renameUser`.
 * @throws {DomainError} notFound if the site does not allow the caller to rename themselves; otherwise the
 * same errors as `renameUser`.
 */
export async function renameMe(ctx: UserCtx, input: RenameMeInput): Promise<void> {
  if (!mayRename(ctx)) throw notFound('the username cannot be changed')
  if (!isAdmin(ctx.caller)) checkNewName(input.new_username)
  await rename(ctx, ctx.caller.user, input.new_username)
}

/**
 * Returns whether the caller can rename themselves. Accounts from a directory cannot, and the site can
 * disable it.
 */
export function mayRename({ config, caller: { user } }: UserCtx): boolean {
  return user.login_type === 'local' && !isFeatureDisabled(config, user.login_type, 'change_username')
}

async function rename(ctx: UserCtx, { id, name }: Account, to: string): Promise<void> {
  checkName(to)
  try {
    await withTransaction(ctx.db, async trx => {
      // Read again under the lock, because a concurrent rename may have come first.
      const current = await lockUser(trx, id)
      if (!current) throw noSuchUser(name)
      const { name: from, login_type } = current
      if (from === to) return
      if (login_type !== 'local') {
        throw unprocessable(`a directory manages the name of this account [name: ${from}]`, {
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
