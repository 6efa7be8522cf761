import type { Updateable } from 'kysely'
import type { UsersTable } from '@/db/tables/users'
import { withTransaction } from '@/db/transaction'
import { uniqueViolation } from '@/db/violation'
import { originOf, recordEvent } from '@/server/events'
import type { Account } from '@/server/kernel/auth/account'
import type { AdminCtx } from '@/server/kernel/ctx'
import { invalid } from '@/server/kernel/errors'
import { requireUnchanged } from '@/server/kernel/form-edit'
import { endSessions, newCredentials } from './credentials'
import { explainGone } from './errors'
import { noSuchUser } from './find'
import { requireAnotherAdmin } from './last-admin'
import type { EditUserOption, SaveUserInput, User } from './schema'
import { lockUser, updateUser } from './store'
import { viewUser } from './view'

/**
 * Updates the fields that are present of an account, on behalf of an administrator; a new password, a lock or another
 * way to sign in ends its sessions.
 * @throws {DomainError} notFound; unprocessable for the last administrator; invalid for an address in use or a weak
 * password.
 */
export async function editUser(
  ctx: AdminCtx,
  account: Account,
  input: Omit<EditUserOption, 'username'>,
): Promise<User> {
  return await edit(ctx, account, input)
}

/**
 * Updates what a form changed of an account, on behalf of an administrator.
 * @throws {DomainError} conflict after another editor; notFound, unprocessable and invalid like `editUser`.
 */
export async function saveUser(ctx: AdminCtx, account: Account, input: SaveUserInput): Promise<User> {
  return await edit(ctx, account, input.changes, input)
}

async function edit(
  ctx: AdminCtx,
  account: Account,
  input: Omit<EditUserOption, 'username'>,
  form?: SaveUserInput,
): Promise<User> {
  const change = await changeOf(ctx, account, input)
  if (Object.keys(change).length === 0) return viewUser(ctx, account)
  const changed = await save(ctx, account, change, form)
  return viewUser(ctx, changed)
}

async function changeOf(
  ctx: AdminCtx,
  account: Account,
  input: Omit<EditUserOption, 'username'>,
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

const accountFieldsOf = ({ full_name, email, is_admin, is_active, prohibit_login }: Account) => ({
  full_name,
  email,
  admin: is_admin,
  active: is_active,
  prohibit_login,
})

async function save(
  ctx: AdminCtx,
  account: Account,
  change: Updateable<UsersTable>,
  form: SaveUserInput | undefined,
): Promise<Account> {
  const locked = change.is_active === false || change.prohibit_login === true
  const movedAway = change.login_type !== undefined && change.login_type !== 'local'
  try {
    return await withTransaction(ctx.db, async trx => {
      if (change.is_admin === false || locked || movedAway) await requireAnotherAdmin(trx, account.id)
      const current = form && (await lockUser(trx, account.id))
      if (current) requireUnchanged(accountFieldsOf(current), form)
      const changed = await updateUser(trx, account.id, change)
      if (!changed) throw noSuchUser(account.name)
      if (locked || movedAway || change.password_hash) await endSessions(trx, [account.id])
      await recordEvent(trx, originOf(ctx), {
        kind: 'user.edited',
        ownerId: account.id,
        facts: { userId: account.id, name: account.name, changed: Object.keys(change).sort().join(' ') },
      })
      return changed
    })
  } catch (error) {
    if (uniqueViolation(error) !== 'users_email_unique') throw explainGone(error)
    throw invalid(`e-mail already in use [email: ${change.email}]`, { field: 'email', cause: error })
  }
}
