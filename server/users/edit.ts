import type { Updateable } from 'kysely'
import type { UsersTable } from '@/db/tables/users'
import { withTransaction } from '@/db/transaction'
import type { Account } from '@/server/kernel/auth/account'
import type { UserCtx } from '@/server/kernel/ctx'
import { recordEvent } from '@/server/kernel/events/record'
import { getAccount } from './find'
import { requireAnotherAdmin } from './last-admin'
import { hashNewPassword } from './new-password'
import type { EditUserOption, User } from './schema'
import { endSessions } from './sessions-end'
import { loginSource } from './source'
import { updateUser } from './store'
import { explainTaken } from './taken'
import { viewUser } from './view'

/**
 * Changes what was given of an account, on behalf of an administrator; a new password or a lock ends its sessions.
 * Throws notFound, unprocessable (address taken, last administrator), invalid (weak password).
 */
export async function editUser(ctx: UserCtx, input: EditUserOption): Promise<User> {
  const account = await getAccount(ctx, input.username)
  const change = await changeOf(ctx, input)
  if (Object.keys(change).length === 0) return viewUser(account, ctx.caller, ctx.config.baseUrl)
  const changed = await save(ctx, account, change)
  return viewUser(changed, ctx.caller, ctx.config.baseUrl)
}

async function changeOf(ctx: UserCtx, input: EditUserOption): Promise<Updateable<UsersTable>> {
  const change: Updateable<UsersTable> = {
    email: input.email,
    full_name: input.full_name,
    login_name: input.login_name,
    is_admin: input.admin,
    is_active: input.active,
    prohibit_login: input.prohibit_login,
    is_restricted: input.restricted,
    visibility: input.visibility,
    location: input.location,
    website: input.website,
    description: input.description,
    must_change_password: input.must_change_password,
    // Clients of this contract always send one, and mean "as it is" by 0.
    ...(input.source_id ? await loginSource(ctx.db, input.source_id) : {}),
    ...(input.password ? { password_hash: await hashNewPassword(input.password) } : {}),
  }
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
}

async function save(ctx: UserCtx, account: Account, change: Updateable<UsersTable>): Promise<Account> {
  const shutOut = change.is_admin === false || change.is_active === false || change.prohibit_login === true
  try {
    return await withTransaction(ctx.db, async trx => {
      if (shutOut) await requireAnotherAdmin(trx, account.id)
      const changed = await updateUser(trx, account.id, change)
      if (change.password_hash || change.is_active === false || change.prohibit_login) {
        await endSessions(trx, account.id)
      }
      await recordEvent(ctx, trx, {
        kind: 'user.edited',
        ownerId: account.id,
        facts: { name: account.name, changed: Object.keys(change).sort().join(' ') },
      })
      return changed
    })
  } catch (error) {
    throw explainTaken(error, account.name, String(change.email))
  }
}
