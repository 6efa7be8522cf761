import type { Account } from '@/server/kernel/account'
import { forbidden } from '@/server/kernel/errors'

export const passwordPage = '/user/settings/password'

/**
 * Requires that an account may act now.
 * @throws {DomainError} forbidden, with the reason `passwordDue` where only the password must be changed first.
 */
export function requireUsableAccount(account: Account, baseUrl: string): void {
  requireSignInAllowed(account)
  if (account.must_change_password) {
    throw forbidden(`You must change your password. Change it at: ${baseUrl}${passwordPage}`, {
      reason: { code: 'passwordDue' },
    })
  }
}

/** What keeps an account from acting now, or null. */
export function accountObstacle(
  account: Pick<Account, 'prohibit_login' | 'is_active' | 'must_change_password'>,
): 'locked' | 'inactive' | 'passwordDue' | null {
  if (account.prohibit_login) return 'locked'
  if (!account.is_active) return 'inactive'
  return account.must_change_password ? 'passwordDue' : null
}

/**
 * Requires that an account may sign in, even one that must change the password: it has to get in to do so.
 * @throws {DomainError} forbidden
 */
export function requireSignInAllowed(account: Account): void {
  if (account.prohibit_login) {
    throw forbidden('This account is prohibited from signing in, please contact your site administrator.')
  }
  if (!account.is_active) throw forbidden('This account is not activated.')
}
