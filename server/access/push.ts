import { accountObstacle } from '@/server/auth/acting-account'
import type { Account } from '@/server/kernel/account'
import { atLeast } from './access-mode'
import type { RepositoryAccess } from './decide'

/**
 * Reason why a push is refused: too little access, an archived repository, or an account that cannot act at
 * present.
 */
export type PushRefusal = 'access' | 'archived' | 'account'

/**
 * Returns the reason why a push with this access is refused, or null if it is allowed. Leave out `account` for
 * the caller: they could not have made the request with an account that cannot act.
 */
export function pushRefusal(
  { access, repository }: { access: RepositoryAccess; repository: { archived_at: Date | null } },
  account?: Account,
): PushRefusal | null {
  if (!atLeast(access.units['repo.code'].mode, 'write')) return 'access'
  if (repository.archived_at) return 'archived'
  return account && accountObstacle(account) ? 'account' : null
}
