import type { Updateable } from 'kysely'
import type { UsersTable } from '@/db/tables/users'
import { withTransaction } from '@/db/transaction'
import type { Account } from '@/server/kernel/auth/account'
import type { UserCtx } from '@/server/kernel/ctx'
import { recordEvent } from '@/server/kernel/events/record'
import { getPerson, noSuchUser } from './find'
import { explainGone } from './gone'
import { requireAnotherAdmin } from './last-admin'
import { newCredentials } from './new-credentials'
import type { EditUserOption, User } from './schema'
import { endSessions } from './sessions-end'
import { updateUser } from './store'
import { explainTaken } from './taken'
import { viewUser } from './view'

/**
 * Changes what was given of an account, on behalf of an administrator; a new password, a lock or
 * another way to sign in ends its sessions.
 * Throws notFound, unprocessable (address taken, last administrator), invalid (weak password).
 */
export async function editUser(ctx: UserCtx, input: EditUserOption): Promise<User> {
  const account = await getPerson(ctx, input.username)
  const change = await changeOf(ctx, account, input)
  if (Object.keys(change).length === 0) return viewUser(account, ctx.caller, ctx.config.baseUrl)
  const changed = await save(ctx, account, change)
  return viewUser(changed, ctx.caller, ctx.config.baseUrl)
}

async function changeOf(
  ctx: UserCtx,
  account: Account,
  input: EditUserOption,
): Promise<Updateable<UsersTable>> {
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
    ...(await newCredentials(ctx, account, input)),
  }
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
}

async function save(ctx: UserCtx, account: Account, change: Updateable<UsersTable>): Promise<Account> {
  const locked = change.is_active === false || change.prohibit_login === true
  const movedAway = change.login_type !== undefined && change.login_type !== 'local'
  try {
    return await withTransaction(ctx.db, async trx => {
      if (change.is_admin === false || locked || movedAway) await requireAnotherAdmin(trx, account.id)
      const changed = await updateUser(trx, account.id, change)
      if (!changed) throw noSuchUser(account.name)
      if (locked || movedAway || change.password_hash) await endSessions(trx, account.id)
      await recordEvent(ctx, trx, {
        kind: 'user.edited',
        ownerId: account.id,
        facts: { name: account.name, changed: Object.keys(change).sort().join(' ') },
      })
      return changed
    })
  } catch (error) {
    throw explainGone(explainTaken(error, account.name, String(change.email)))
  }
}
