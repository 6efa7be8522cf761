import { atLeast } from '@/server/access/access-mode'
import type { RepositoryWithAccess } from '@/server/repos'

/** Whether the caller may run workflows and delete artifacts now: an archived repository is read-only. */
export const canWriteActions = ({
  access,
  repository,
}: Pick<RepositoryWithAccess, 'access' | 'repository'>): boolean =>
  atLeast(access.units['repo.actions'].mode, 'write') && !repository.archived_at
