import { requireSignInAllowed } from '@/server/auth/acting-account'
import { verifyLogin } from '@/server/auth/credentials/password'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { DomainError, isDomainError } from '@/server/kernel/errors'
import { type OpenedSession, openSession } from './open'
import type { SignInInput } from './schema'

/**
 * Signs a person in with name or e-mail address and password.
 * @throws {DomainError} unauthenticated for a wrong name or password; forbidden for a locked account; tooManyRequests
 * after many failures.
 */
export async function signIn(ctx: ServiceCtx, input: SignInInput, userAgent: string): Promise<OpenedSession> {
  const { user } = await verifyLogin(ctx, input.login, input.password).catch((error: unknown) => {
    if (!isDomainError(error) || error.kind !== 'unauthenticated') throw error
    throw new DomainError('unauthenticated', 'That user name or password is not right.', {
      field: 'password',
      cause: error,
    })
  })
  requireSignInAllowed(user)
  return await openSession(ctx, user, userAgent)
}
