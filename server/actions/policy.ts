import { atLeast } from '@/server/access/access-mode'
import { forbidden } from '@/server/kernel/errors'
import type { RepositoryWithAccess } from '@/server/repos'

/** Whether the caller may run workflows and delete artifacts now: an archived repository is read-only. */
export const canWriteActions = ({
  access,
  repository,
}: Pick<RepositoryWithAccess, 'access' | 'repository'>): boolean =>
  atLeast(access.units['repo.actions'].mode, 'write') && !repository.archived_at

/** @throws {DomainError} forbidden if the repository is archived. */
export function requireUnarchived({ archived_at }: { archived_at: Date | null }): void {
  if (!archived_at) return
  throw forbidden('This repository is archived. Unarchive it to run its workflows.')
}
