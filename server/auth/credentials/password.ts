import { sql } from 'kysely'
import type { Db } from '@/db/client'
import { type Account, accountColumns } from '@/server/kernel/account'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { unauthenticated } from '@/server/kernel/errors'
import { maxPasswordLength } from '@/server/kernel/password-length'
import { passwordMatches } from './password-hash'
import { hashSecret } from './secret-token'

export const wrongLogin = 'invalid username, password or token'

type LoginCtx = Pick<ServiceCtx, 'db' | 'loginLimiter' | 'remoteAddress' | 'disconnected' | 'clock'>
type Login = Account & { password_hash: string | null }

/**
 * An account whose password was right, with a stamp that differs for every later password and reveals nothing of it.
 */
export interface VerifiedLogin {
  user: Account
  stamp: string
}

/**
 * Checks a user name or e-mail address with a password kept here, and counts failures.
 * @throws {DomainError} unauthenticated, with one message for every cause; tooManyRequests after repeated failures.
 */
export async function verifyLogin(ctx: LoginCtx, login: string, password: string): Promise<VerifiedLogin> {
  const { loginLimiter, remoteAddress: address, disconnected } = ctx
  const fits = loginLimiter.recent.find(login, password, ctx.clock.now())
  if (!fits) loginLimiter.refuseBlocked(login, address)
  const found = await findLogin(ctx, login)
  if (found && fits?.(found)) return verified(found)
  // Name and e-mail address together: who knows both must not get to guess twice as often.
  const subject = found ? `account ${found.id}` : `login ${login.toLowerCase()}`
  const attempt = { login, subject, address, disconnected }
  const matched = await loginLimiter.guard(attempt, () => match(ctx, login, password))
  if (!matched) throw unauthenticated(wrongLogin)
  return verified(matched)
}

// Looked up again, as the account may have changed while this stood in line.
async function match(ctx: LoginCtx, login: string, password: string): Promise<Login | undefined> {
  const found = await findLogin(ctx, login)
  const matches = await passwordMatches(found?.password_hash, password.slice(0, maxPasswordLength + 1))
  if (!found || !matches) return undefined
  ctx.loginLimiter.recent.add(login, password, found, ctx.clock.now())
  return found
}

/** Finds the account once more if its password is still the one that was right; takes no hashing of passwords. */
export async function findVerified(
  db: Db,
  { user, stamp }: VerifiedLogin,
): Promise<VerifiedLogin | undefined> {
  const found = await logins(db).where('users.id', '=', user.id).executeTakeFirst()
  const now = found && verified(withOwnHash(found))
  return now?.stamp === stamp ? now : undefined
}

function verified({ password_hash, ...user }: Login): VerifiedLogin {
  return { user, stamp: hashSecret(password_hash ?? '').toString('base64') }
}

async function findLogin(ctx: LoginCtx, login: string): Promise<Login | undefined> {
  if (login.includes('\0')) return undefined
  const column = login.includes('@') ? sql`lower(users.email)` : sql`lower(users.name)`
  const found = await logins(ctx.db).where(column, '=', login.toLowerCase()).executeTakeFirst()
  return found && withOwnHash(found)
}

const logins = (db: Db) =>
  db
    .selectFrom('users')
    .select([...accountColumns, 'users.password_hash'])
    .where('users.kind', '=', 'person')

// Whatever was stored before a directory began to sign it in.
const withOwnHash = (found: Login): Login => ({
  ...found,
  password_hash: found.login_type === 'local' ? found.password_hash : null,
})
