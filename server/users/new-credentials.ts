import type { Updateable } from 'kysely'
import type { UsersTable } from '@/db/tables/users'
import type { Account } from '@/server/kernel/auth/account'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { hashNewPassword } from './new-password'
import type { EditUserOption } from './schema'
import { loginSource } from './source'

/**
 * What an administrator's change makes of how a person signs in; undefined is left as it is.
 * A password for an account of a directory is ignored. Throws unprocessable for an unknown source, invalid for a
 * weak password.
 */
export async function newCredentials(
  ctx: ServiceCtx,
  account: Account,
  input: Omit<EditUserOption, 'username'>,
): Promise<Updateable<UsersTable>> {
  // Clients of this contract always send a source, and mean "as it is" by 0.
  const source = input.source_id ? await loginSource(ctx.db, input.source_id) : account
  const { login_source_id, login_type } = source
  const moved = login_source_id !== account.login_source_id
  const move = moved ? { login_source_id, login_type } : {}
  if (login_type === 'local') {
    const password_hash = input.password ? await hashNewPassword(input.password) : undefined
    return { ...move, password_hash, must_change_password: input.must_change_password }
  }
  // The password is the directory's now: an old one left here would be a second way in, which it could not close.
  return moved ? { ...move, password_hash: null, must_change_password: false } : {}
}
