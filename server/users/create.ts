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
 * @throws {DomainError} unprocessable if the name or email address cannot be used; invalid if the password is
 * missing or weak.
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
    // A local password for a directory account would be a second way to sign in that the directory cannot
    // revoke.
    password_hash: local && input.password ? await hashNewPassword(input.password) : null,
    // By default, a password set by someone else must be changed at the first sign-in.
    must_change_password: local && (input.must_change_password ?? true),
    full_name: input.full_name ?? '',
    login_name: input.login_name ?? '',
    is_restricted: input.restricted ?? false,
    visibility: input.visibility ?? 'public',
  })
  return viewUser(ctx, account)
}

/** Inserts an account and its event in one transaction. The caller must have checked the name. */
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
