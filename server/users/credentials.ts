import type { Transaction, Updateable } from 'kysely'
import type { Db } from '@/db/client'
import { oneOf } from '@/db/sql'
import type { Database } from '@/db/tables'
import type { LoginType, UsersTable } from '@/db/tables/users'
import { hashPassword } from '@/server/auth/credentials/password'
import type { Account } from '@/server/kernel/account'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { invalid, unprocessable } from '@/server/kernel/errors'
import { maxPasswordLength, minPasswordLength } from '@/server/kernel/password-length'
import type { EditUserOption } from './schema'

/**
 * Returns the columns to update when an administrator changes how a person signs in. Undefined columns stay
 * unchanged, and a password for a directory account is ignored.
 * @throws {DomainError} unprocessable if the login source is unknown; invalid if the password is weak.
 */
export async function newCredentials(
  ctx: ServiceCtx,
  account: Account,
  input: Omit<EditUserOption, 'username'>,
): Promise<Updateable<UsersTable>> {
  // Clients of this API always send a source and mean "unchanged" by 0.
  const source = input.source_id ? await loginSource(ctx.db, input.source_id) : account
  const { login_source_id, login_type } = source
  const moved = login_source_id !== account.login_source_id
  const move = moved ? { login_source_id, login_type } : {}
  if (login_type === 'local') {
    const password_hash = input.password ? await hashNewPassword(input.password) : undefined
    return { ...move, password_hash, must_change_password: input.must_change_password }
  }
  // The directory manages the password, so an old local one would be a second way to sign in that the
  // directory cannot revoke.
  return moved ? { ...move, password_hash: null, must_change_password: false } : {}
}

/**
 * Returns the columns for a login source. Source 0 means a password stored in this database.
 * @throws {DomainError} unprocessable if the login source is unknown.
 */
export async function loginSource(
  db: Db,
  sourceId: number,
): Promise<{ login_source_id: number | null; login_type: LoginType }> {
  if (sourceId === 0) return { login_source_id: null, login_type: 'local' }
  const type = await selectSourceType(db, sourceId)
  if (!type) throw unprocessable(`login source does not exist [id: ${sourceId}]`, { field: 'source_id' })
  return { login_source_id: sourceId, login_type: type }
}

/**
 * Hashes a password that an administrator sets for an account.
 * @throws {DomainError} invalid if the password is too short or too long.
 */
export async function hashNewPassword(password: string): Promise<string> {
  if (password.length < minPasswordLength || password.length > maxPasswordLength) {
    throw invalid(`PasswordComplexity: use ${minPasswordLength} to ${maxPasswordLength} characters`, {
      field: 'password',
    })
  }
  return await hashPassword(password)
}

/** Ends all sessions of these people, optionally except one session. */
export async function endSessions(
  trx: Transaction<Database>,
  userIds: readonly number[],
  exceptSessionId?: number,
): Promise<void> {
  let query = trx.deleteFrom('sessions').where('user_id', '=', oneOf(userIds))
  if (exceptSessionId !== undefined) query = query.where('id', '<>', exceptSessionId)
  await query.execute()
}

async function selectSourceType(db: Db, id: number): Promise<LoginType | undefined> {
  const row = await db.selectFrom('login_sources').select('type').where('id', '=', id).executeTakeFirst()
  return row?.type
}
