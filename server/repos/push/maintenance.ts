import { type BoundedCache, createBoundedCache } from '@/server/kernel/bounded-cache'
import { singleton } from '@/server/kernel/singleton'
import type { RepositoryRow } from '../store'

/** Asks for maintenance of a repository's Git data. Its memory counts for the account. */
export type MaintenanceRequest = (
  repository: Pick<RepositoryRow, 'storage_key'>,
  account: number | undefined,
) => void

/** What maintains repositories after changes that were not received with Git; each push is followed by it anyway. */
export const maintenance = (): { request?: MaintenanceRequest } => singleton('git-maintenance', () => ({}))

// A change adds a few loose objects, and Git leaves thousands of them alone.
const changesBetween = 50

const counts = (): BoundedCache<number> =>
  singleton('git-changes', () => createBoundedCache({ maxSize: 10_000, maxAgeMs: 24 * 60 * 60_000 }))

/** Counts a change of a repository, and returns whether its maintenance is due after it. */
export function isMaintenanceDue({ storage_key }: Pick<RepositoryRow, 'storage_key'>): boolean {
  const count = (counts().get(storage_key) ?? 0) + 1
  counts().set(storage_key, count % changesBetween, 1)
  return count === changesBetween
}
