import { atLeast } from '@/server/access/access-mode'
import type { Caller } from '@/server/kernel/caller'
import { hasScope } from '@/server/kernel/scopes'
import type { RepositoryWithAccess } from '@/server/repos'

type WithAccess = Pick<RepositoryWithAccess, 'access'>

/**
 * Returns whether the caller has permission to write and publish releases of the repository, even if it is
 * archived.
 */
export const mayWriteReleases = ({ access }: WithAccess): boolean =>
  atLeast(access.units['repo.releases'].mode, 'write')

/**
 * Returns whether the caller can write releases now: they have the permission, and the repository is not
 * archived.
 */
export const canWriteReleases = (found: Pick<RepositoryWithAccess, 'access' | 'repository'>): boolean =>
  mayWriteReleases(found) && !found.repository.archived_at

/**
 * Returns whether the caller can see drafts: they have permission to write releases and, if they use an access
 * token, the token has write scope.
 */
export function seesDrafts({ caller }: { caller: Caller }, found: WithAccess): boolean {
  if (caller.kind === 'job') return mayWriteReleases(found)
  if (caller.kind !== 'user' || !mayWriteReleases(found)) return false
  const { credential } = caller
  return credential.kind !== 'token' || hasScope(credential.scopes, 'repository', 'write')
}
