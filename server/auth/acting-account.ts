import type { Account } from '@/server/kernel/account'
import type { UserCaller } from '@/server/kernel/caller'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { forbidden, notFound } from '@/server/kernel/errors'
import { requireAdminScope } from './require-scope'

/** Path of the page where people change their password. */
export const passwordPage = '/user/settings/password'

/**
 * Returns the caller as the account they act as: their own, or the one that a site administrator names (sudo).
 * @param findOther Finds the account named by sudo; absent if the caller acts as themselves.
 * @throws {DomainError} forbidden if the caller's own account cannot act now, and for sudo by anyone but a site
 * administrator; notFound if the account named by sudo does not exist.
 */
export async function actAs(
  { config }: Pick<ServiceCtx, 'config'>,
  caller: UserCaller,
  findOther?: () => Promise<Account | undefined>,
): Promise<UserCaller> {
  requireUsableAccount(caller.user, config.baseUrl)
  if (!findOther) return caller
  if (!caller.user.is_admin) throw forbidden('Only administrators allowed to sudo.')
  requireAdminScope(config, caller)
  const user = await findOther()
  if (!user) throw notFound()
  return { ...caller, user, actor: caller.user }
}

/**
 * Requires that an account can act now.
 * @throws {DomainError} forbidden; with the reason `passwordDue` if only the password must be changed first.
 */
export function requireUsableAccount(account: Account, baseUrl: string): void {
  requireSignInAllowed(account)
  if (account.must_change_password) {
    throw forbidden(`You must change your password. Change it at: ${baseUrl}${passwordPage}`, {
      reason: { code: 'passwordDue' },
    })
  }
}

/** Returns why an account cannot act now, or null if it can. */
export function accountObstacle(
  account: Pick<Account, 'prohibit_login' | 'is_active' | 'must_change_password'>,
): 'locked' | 'inactive' | 'passwordDue' | null {
  if (account.prohibit_login) return 'locked'
  if (!account.is_active) return 'inactive'
  return account.must_change_password ? 'passwordDue' : null
}

/**
 * Requires that an account can sign in. An account that must change its password can, because it has to sign in to do so.
 * @throws {DomainError} forbidden
 */
export function requireSignInAllowed(account: Account): void {
  if (account.prohibit_login) {
    throw forbidden('This account is prohibited from signing in, please contact your site administrator.')
  }
  if (!account.is_active) throw forbidden('This account is not activated.')
}
