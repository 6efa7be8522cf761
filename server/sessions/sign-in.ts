import { requireSignInAllowed } from '@/server/auth/acting-account'
import { verifyLogin } from '@/server/auth/credentials/password'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { DomainError, isDomainError } from '@/server/kernel/errors'
import { type OpenedSession, openSession } from './open'
import type { SignInInput } from './schema'

/**
 * Signs a person in with a username or email address and a password.
 * @throws {DomainError} unauthenticated if the name or password is wrong; forbidden if the account is
 * disabled; tooManyRequests after many failures.
 */
export async function signIn(ctx: ServiceCtx, input: SignInInput, userAgent: string): Promise<OpenedSession> {
  const { user } = await verifyLogin(ctx, input.login, input.password).catch((error: unknown) => {
    if (!isDomainError(error) || error.kind !== 'unauthenticated') throw error
    throw new DomainError('unauthenticated', 'Incorrect username or password.', {
      field: 'password',
      cause: error,
    })
  })
  requireSignInAllowed(user)
  return await openSession(ctx, user, userAgent)
}
