import { hashPassword } from '@/server/auth/credentials/password'
import type { Account } from '@/server/kernel/account'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { forbidden } from '@/server/kernel/errors'
import { addAccount } from './create'
import { checkNewName } from './name'
import type { RegisterInput } from './schema'
import { anyUserExists } from './store'

/**
 * Creates an account for a visitor who registers.
 * @throws {DomainError} forbidden if registration is disabled; tooManyRequests after many registrations
 * from the same network address.
 */
export async function register(ctx: ServiceCtx, input: RegisterInput): Promise<Account> {
  // The first account is the administrator and can only be created by the setup.
  if (!ctx.config.registration || !(await anyUserExists(ctx.db))) {
    throw forbidden('registration is disabled on this site; ask an administrator for an account')
  }
  checkNewName(input.username)
  await ctx.loginLimiter.countRegistration(ctx.remoteAddress)
  return await addAccount(ctx, {
    name: input.username,
    email: input.email,
    password_hash: await hashPassword(input.password),
  })
}
