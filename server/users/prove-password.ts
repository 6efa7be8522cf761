import { verifyLogin } from '@/server/auth/credentials/password'
import type { UserCtx } from '@/server/kernel/ctx'
import { isDomainError, unprocessable } from '@/server/kernel/errors'

/**
 * Requires the caller's password, so that an open browser alone does not suffice for what follows.
 * @throws {DomainError} unprocessable on the field `current_password`; tooManyRequests after repeated failures.
 */
export async function provePassword(ctx: UserCtx, password: string): Promise<void> {
  try {
    await verifyLogin(ctx, ctx.caller.user.name, password)
  } catch (error) {
    if (!isDomainError(error) || error.kind !== 'unauthenticated') throw error
    throw unprocessable('This is not your current password.', { field: 'current_password', cause: error })
  }
}
