import { atLeast } from '@/server/access/access-mode'
import { forbidden } from '@/server/kernel/errors'
import { type RepositoryWithAccess, readSettings } from '@/server/repos'

/**
 * Whether the caller can currently run workflows and delete artifacts. An archived repository is read-only.
 */
export const canWriteActions = ({
  access,
  repository,
}: Pick<RepositoryWithAccess, 'access' | 'repository'>): boolean =>
  atLeast(access.units['repo.actions'].mode, 'write') && !repository.archived_at

/** Whether workflows can start in a repository: it is not archived, and actions are turned on. */
export const isRunnable = ({ archived_at, settings }: Runnable): boolean =>
  !archived_at && readSettings(settings).has_actions

interface Runnable {
  archived_at: Date | null
  settings: unknown
}

/**
 * Requires that workflows can start in a repository.
 * @throws {DomainError} forbidden if the repository is archived or actions are turned off there.
 */
export function requireRunnable(repository: Runnable): void {
  requireUnarchived(repository)
  if (!isRunnable(repository)) throw forbidden('Actions are turned off in this repository.')
}

/**
 * Requires that a repository is not archived.
 * @throws {DomainError} forbidden if it is.
 */
export function requireUnarchived({ archived_at }: { archived_at: Date | null }): void {
  if (!archived_at) return
  throw forbidden('This repository is archived. Unarchive it to run its workflows.')
}
