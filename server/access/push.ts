import { accountObstacle } from '@/server/auth/acting-account'
import type { Account } from '@/server/kernel/account'
import { atLeast } from './access-mode'
import type { RepositoryAccess } from './decide'

/**
 * Reason why a push is rejected: insufficient access (`access`), an archived repository (`archived`), or an
 * account that is locked, inactive or required to change its password (`account`).
 */
export type PushRefusal = 'access' | 'archived' | 'account'

/**
 * Returns the reason why a push with this access is rejected, or null if it is allowed. Omit `account` if the
 * caller pushes: the caller's account was already checked when the request was authenticated.
 */
export function pushRefusal(
  { access, repository }: { access: RepositoryAccess; repository: { archived_at: Date | null } },
  account?: Account,
): PushRefusal | null {
  if (!atLeast(access.units['repo.code'].mode, 'write')) return 'access'
  if (repository.archived_at) return 'archived'
  return account && accountObstacle(account) ? 'account' : null
}
