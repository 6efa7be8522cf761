import { withTransaction } from '@/db/transaction'
import { originOf, recordEvent } from '@/server/events'
import type { Account } from '@/server/kernel/account'
import type { AdminCtx, ServiceCtx } from '@/server/kernel/ctx'
import { invalid } from '@/server/kernel/errors'
import { hashNewPassword, loginSource } from './credentials'
import { mapUniqueError } from './errors'
import { takeName } from './former-name'
import { checkName } from './name'
import type { CreateUserOption, User } from './schema'
import { insertUser } from './store'
import { viewUser } from './view'

/**
 * Creates an account on behalf of an administrator.
 * @throws {DomainError} unprocessable for a name or address that cannot be used; invalid for a missing or weak
 * password.
 */
export async function createUser(ctx: AdminCtx, input: CreateUserOption): Promise<User> {
  checkName(input.username)
  const source = await loginSource(ctx.db, input.source_id ?? 0)
  const local = source.login_type === 'local'
  if (local && !input.password) throw invalid('PasswordIsRequired', { field: 'password' })
  const account = await addAccount(ctx, {
    ...source,
    name: input.username,
    email: input.email,
    // Of a directory's account it would be a second way in, which the directory could not close.
    password_hash: local && input.password ? await hashNewPassword(input.password) : null,
    // A password somebody else chose is good for the first sign-in only, unless they say so.
    must_change_password: local && (input.must_change_password ?? true),
    full_name: input.full_name ?? '',
    login_name: input.login_name ?? '',
    is_restricted: input.restricted ?? false,
    visibility: input.visibility ?? 'public',
  })
  return viewUser(ctx, account)
}

/** Inserts the account and its event in one transaction; the caller has checked the name. */
export async function addAccount(
  ctx: ServiceCtx,
  values: Parameters<typeof insertUser>[1],
): Promise<Account> {
  try {
    return await withTransaction(ctx.db, async trx => {
      const account = await insertUser(trx, values)
      await takeName(ctx, trx, account)
      await recordEvent(trx, originOf(ctx), {
        kind: 'user.created',
        ownerId: account.id,
        facts: { userId: account.id, name: account.name, admin: account.is_admin },
      })
      return account
    })
  } catch (error) {
    throw mapUniqueError(error, values.name, values.email)
  }
}
