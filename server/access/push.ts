import { accountObstacle } from '@/server/auth/acting-account'
import type { Account } from '@/server/kernel/account'
import { atLeast } from './access-mode'
import type { RepositoryAccess } from './decide'

/** What prevents a push: too little access, an archived repository, or an account that may not act now. */
export type PushRefusal = 'access' | 'archived' | 'account'

/**
 * Decides what prevents a push with this access, or null. Leave `account` out for the caller, who could not have called
 * with an account that may not act.
 */
export function pushRefusal(
  { access, repository }: { access: RepositoryAccess; repository: { archived_at: Date | null } },
  account?: Account,
): PushRefusal | null {
  if (!atLeast(access.units['repo.code'].mode, 'write')) return 'access'
  if (repository.archived_at) return 'archived'
  return account && accountObstacle(account) ? 'account' : null
}
