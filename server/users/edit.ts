import type { Updateable } from 'kysely'
import type { UsersTable } from '@/db/tables/users'
import { withTransaction } from '@/db/transaction'
import { uniqueViolation } from '@/db/violation'
import { originOf, recordEvent } from '@/server/events'
import type { Account } from '@/server/kernel/account'
import type { AdminCtx } from '@/server/kernel/ctx'
import { invalid } from '@/server/kernel/errors'
import { requireUnchanged } from '@/server/kernel/form-edit'
import { endSessions, newCredentials } from './credentials'
import { mapForeignKeyError } from './errors'
import { noSuchUser } from './find'
import { requireAnotherAdmin } from './last-admin'
import type { AdministeredUser, EditUserOption, SaveUserInput, User } from './schema'
import { lockUser, updateUser } from './store'
import { viewAdministered, viewUser } from './view'

/**
 * Updates the fields of an account that are present in the input, on behalf of an administrator. A new
 * password, a disabled account, or a move to a login source other than this database ends the account's
 * sessions.
 * @throws {DomainError} notFound if the account was deleted; unprocessable if no administrator who can sign
 * in would be left; invalid if the email address is in use or the password is weak.
 */
export async function editUser(
  ctx: AdminCtx,
  account: Account,
  input: Omit<EditUserOption, 'username'>,
): Promise<User> {
  return viewUser(ctx, await edit(ctx, account, input))
}

/**
 * Saves the fields of an account that an administrator changed in the form.
 * @throws {DomainError} conflict if someone else changed one of these fields after the form was loaded;
 * otherwise the same errors as `editUser`.
 */
export async function saveUser(
  ctx: AdminCtx,
  account: Account,
  input: SaveUserInput,
): Promise<AdministeredUser> {
  const { max_repositories: most, ...changes } = input.changes
  const max_repo_creation = most === undefined ? undefined : most === '' ? -1 : Number(most)
  return viewAdministered(ctx, await edit(ctx, account, { ...changes, max_repo_creation }, input))
}

async function edit(
  ctx: AdminCtx,
  account: Account,
  input: Omit<EditUserOption, 'username'>,
  form?: SaveUserInput,
): Promise<Account> {
  const change = await changeOf(ctx, account, input)
  return Object.keys(change).length === 0 ? account : await save(ctx, account, change, form)
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
    may_create_organization: input.allow_create_organization,
    max_repositories: maximumOf(input.max_repo_creation),
    ...(await newCredentials(ctx, account, input)),
  }
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined))
}

// Clients of this API use -1 for the site's default maximum.
const maximumOf = (wanted: number | undefined): number | null | undefined => (wanted === -1 ? null : wanted)

const accountFieldsOf = (account: Account) => ({
  full_name: account.full_name,
  email: account.email,
  admin: account.is_admin,
  active: account.is_active,
  prohibit_login: account.prohibit_login,
  allow_create_organization: account.may_create_organization,
  max_repositories: account.max_repositories === null ? '' : String(account.max_repositories),
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
    if (uniqueViolation(error) !== 'users_email_unique') throw mapForeignKeyError(error)
    throw invalid(`e-mail already in use [email: ${change.email}]`, { field: 'email', cause: error })
  }
}
