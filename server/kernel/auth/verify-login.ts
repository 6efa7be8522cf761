import { sql } from 'kysely'
import type { ServiceCtx } from '../ctx'
import { unauthenticated } from '../errors'
import { type Account, accountColumns } from './account'
import { passwordMatches } from './password'
import { maxPasswordLength } from './password-length'

export const wrongLogin = 'invalid username, password or token'

type LoginCtx = Pick<ServiceCtx, 'db' | 'loginLimiter' | 'remoteAddress'>

/**
 * Checks a user name or e-mail address with a password kept here.
 * Throws unauthenticated with one message for every cause, and tooManyRequests after repeated failures;
 * writes the failure count.
 */
export async function verifyLogin(ctx: LoginCtx, login: string, password: string): Promise<Account> {
  const account = await ctx.loginLimiter.guard(login, ctx.remoteAddress, () => match(ctx, login, password))
  if (!account) throw unauthenticated(wrongLogin)
  return account
}

async function match(ctx: LoginCtx, login: string, password: string): Promise<Account | undefined> {
  const row = await findLogin(ctx, login)
  const stored = row?.login_type === 'local' ? row.password_hash : undefined
  const matches = await passwordMatches(stored, password.slice(0, maxPasswordLength + 1))
  if (!row || !matches) return undefined
  const { password_hash: _, ...account } = row
  return account
}

function findLogin(
  ctx: LoginCtx,
  login: string,
): Promise<(Account & { password_hash: string | null }) | undefined> {
  if (login.includes('\0')) return Promise.resolve(undefined)
  const column = login.includes('@') ? sql`lower(users.email)` : sql`lower(users.name)`
  return ctx.db
    .selectFrom('users')
    .select([...accountColumns, 'users.password_hash'])
    .where(column, '=', login.toLowerCase())
    .where('users.kind', '=', 'person')
    .executeTakeFirst()
}
