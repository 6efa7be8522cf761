import { atLeast } from '@/server/access/access-mode'
import type { Caller } from '@/server/kernel/caller'
import { hasScope } from '@/server/kernel/scopes'
import type { RepositoryWithAccess } from '@/server/repos'

type WithAccess = Pick<RepositoryWithAccess, 'access'>

/** Whether the caller may write and publish releases of the repository. */
export const mayWriteReleases = ({ access }: WithAccess): boolean =>
  atLeast(access.units['repo.releases'].mode, 'write')

/** Whether the caller may write releases now: an archived repository is read-only. */
export const canWriteReleases = (found: Pick<RepositoryWithAccess, 'access' | 'repository'>): boolean =>
  mayWriteReleases(found) && !found.repository.archived_at

/** Whether the caller may see drafts: they must be able to write releases, and a token needs write scope too. */
export function seesDrafts({ caller }: { caller: Caller }, found: WithAccess): boolean {
  if (caller.kind !== 'user' || !mayWriteReleases(found)) return false
  const { credential } = caller
  return credential.kind !== 'token' || hasScope(credential.scopes, 'repository', 'write')
}
