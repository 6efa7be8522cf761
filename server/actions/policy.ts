import { atLeast } from '@/server/access/access-mode'
import { forbidden } from '@/server/kernel/errors'
import { type RepositoryWithAccess, readSettings } from '@/server/repos'

/** Whether the caller may run workflows and delete artifacts now: an archived repository is read-only. */
export const canWriteActions = ({
  access,
  repository,
}: Pick<RepositoryWithAccess, 'access' | 'repository'>): boolean =>
  atLeast(access.units['repo.actions'].mode, 'write') && !repository.archived_at

/** Whether workflows of a repository start: neither is it archived, nor has somebody turned them off. */
export const isRunnable = ({ archived_at, settings }: Runnable): boolean =>
  !archived_at && readSettings(settings).has_actions

interface Runnable {
  archived_at: Date | null
  settings: unknown
}

/** @throws {DomainError} forbidden if the repository is archived, or actions are off there. */
export function requireRunnable(repository: Runnable): void {
  requireUnarchived(repository)
  if (!isRunnable(repository)) throw forbidden('Actions are off in this repository.')
}

/** @throws {DomainError} forbidden if the repository is archived. */
export function requireUnarchived({ archived_at }: { archived_at: Date | null }): void {
  if (!archived_at) return
  throw forbidden('This repository is archived. Unarchive it to run its workflows.')
}
