import { verifyLogin } from '@/server/auth/credentials/password'
import type { UserCtx } from '@/server/kernel/ctx'
import { isDomainError, unprocessable } from '@/server/kernel/errors'

/**
 * Verifies the caller's password before a sensitive action, so that access to an open browser is not enough.
 * @throws {DomainError} unprocessable on the field `current_password` if the password is wrong;
 * tooManyRequests after repeated failures.
 */
export async function provePassword(ctx: UserCtx, password: string): Promise<void> {
  try {
    await verifyLogin(ctx, ctx.caller.user.name, password)
  } catch (error) {
    if (!isDomainError(error) || error.kind !== 'unauthenticated') throw error
    throw unprocessable('The current password is incorrect.', { field: 'current_password', cause: error })
  }
}
