import { sql } from 'kysely'
import type { ServiceCtx } from '../ctx'
import { unauthenticated } from '../errors'
import { type Account, accountColumns } from './account'
import { passwordMatches } from './password'
import { maxPasswordLength } from './password-length'

export const wrongLogin = 'invalid username, password or token'

type LoginCtx = Pick<ServiceCtx, 'db' | 'loginLimiter' | 'remoteAddress' | 'gone' | 'clock'>
type Login = Account & { password_hash: string | null }

/**
 * Checks a user name or e-mail address with a password kept here.
 * Throws unauthenticated with one message for every cause, and tooManyRequests after repeated failures;
 * writes the failure count.
 */
export async function verifyLogin(ctx: LoginCtx, login: string, password: string): Promise<Account> {
  const { loginLimiter, remoteAddress: address, gone } = ctx
  const fits = loginLimiter.recent.find(login, password, ctx.clock.now())
  if (!fits) loginLimiter.refuseBlocked(login, address)
  const found = await findLogin(ctx, login)
  if (found && fits?.(found)) return accountOf(found)
  // Name and e-mail address together: who knows both must not get to guess twice as often.
  const subject = found ? `account ${found.id}` : `login ${login.toLowerCase()}`
  const attempt = { login, subject, address, gone }
  const account = await loginLimiter.guard(attempt, () => match(ctx, login, password))
  if (!account) throw unauthenticated(wrongLogin)
  return account
}

// Looked up again, as the account may have changed while this stood in line.
async function match(ctx: LoginCtx, login: string, password: string): Promise<Account | undefined> {
  const found = await findLogin(ctx, login)
  const matches = await passwordMatches(found?.password_hash, password.slice(0, maxPasswordLength + 1))
  if (!found || !matches) return undefined
  ctx.loginLimiter.recent.add(login, password, found, ctx.clock.now())
  return accountOf(found)
}

function accountOf({ password_hash: _, ...account }: Login): Account {
  return account
}

/** Finds an account; without a hash where a directory signs it in, whatever was stored before. */
async function findLogin(ctx: LoginCtx, login: string): Promise<Login | undefined> {
  if (login.includes('\0')) return undefined
  const column = login.includes('@') ? sql`lower(users.email)` : sql`lower(users.name)`
  const found = await ctx.db
    .selectFrom('users')
    .select([...accountColumns, 'users.password_hash'])
    .where(column, '=', login.toLowerCase())
    .where('users.kind', '=', 'person')
    .executeTakeFirst()
  return found && { ...found, password_hash: found.login_type === 'local' ? found.password_hash : null }
}
