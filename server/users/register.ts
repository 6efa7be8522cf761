import { hashPassword } from '@/server/auth/credentials/password'
import type { Account } from '@/server/kernel/account'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { forbidden } from '@/server/kernel/errors'
import { addAccount } from './create'
import { checkNewName } from './name'
import type { RegisterInput } from './schema'
import { anyUserExists } from './store'

/**
 * Creates an account for somebody who is not signed in.
 * @throws {DomainError} forbidden while registration is off; tooManyRequests after many new accounts from one
 * address.
 */
export async function register(ctx: ServiceCtx, input: RegisterInput): Promise<Account> {
  // The first account administers the site, and only the set-up makes that one.
  if (!ctx.config.registration || !(await anyUserExists(ctx.db))) {
    throw forbidden('registration is off on this site; ask an administrator for an account')
  }
  checkNewName(input.username)
  await ctx.loginLimiter.countRegistration(ctx.remoteAddress)
  return await addAccount(ctx, {
    name: input.username,
    email: input.email,
    password_hash: await hashPassword(input.password),
  })
}
