import { sql } from 'kysely'
import type { ServiceCtx } from '../ctx'
import { unauthenticated } from '../errors'
import { type Account, accountColumns } from './account'
import { maxPasswordLength, passwordMatches } from './password'

export const wrongLogin = 'invalid username, password or token'

type LoginCtx = Pick<ServiceCtx, 'db' | 'loginLimiter' | 'remoteAddress'>

/**
 * Checks a user name or e-mail address with a password.
 * Throws unauthenticated with one message for every cause, and tooManyRequests after repeated failures;
 * writes the failure count.
 */
export async function verifyLogin(ctx: LoginCtx, login: string, password: string): Promise<Account> {
  await ctx.loginLimiter.check(login, ctx.remoteAddress)
  const row = await findLogin(ctx, login)
  const matches = await passwordMatches(row?.password_hash, password.slice(0, maxPasswordLength + 1))
  if (!row || !matches) {
    await ctx.loginLimiter.fail(login, ctx.remoteAddress)
    throw unauthenticated(wrongLogin)
  }
  await ctx.loginLimiter.succeed(login, ctx.remoteAddress)
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
    .executeTakeFirst()
}
