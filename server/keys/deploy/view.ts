import { isAdmin, isSelf } from '@/server/kernel/caller'
import type { UserCtx } from '@/server/kernel/ctx'
import { wireTime } from '@/server/kernel/wire'
import { type RepositoryWithAccess, viewRepository } from '@/server/repos'
import { readStoredKey } from '../ssh/parse'
import type { DeployKey, ListedDeployKey } from './schema'
import type { DeployKeyRow } from './store'

/**
 * Converts a repository's deploy keys to their API representation. Includes the repository only if the caller
 * is its owner or a site administrator.
 */
export function viewDeployKeys(
  ctx: UserCtx,
  found: RepositoryWithAccess,
  rows: readonly DeployKeyRow[],
): DeployKey[] {
  const isForOwner = isAdmin(ctx.caller) || isSelf(ctx.caller, found.owner.id)
  const shared = isForOwner ? { repository: viewRepository(ctx, found) } : {}
  return rows.map(row => ({ ...view(ctx, found, row), ...shared }))
}

/**
 * Converts a repository's deploy key to its API representation. Includes the repository only if the caller is
 * its owner or a site administrator.
 */
export function viewDeployKey(ctx: UserCtx, found: RepositoryWithAccess, row: DeployKeyRow): DeployKey {
  return viewDeployKeys(ctx, found, [row])[0] as DeployKey
}

/**
 * Converts a repository's deploy keys for the list on a settings page, each with its algorithm, its size, and
 * the IP address from which it was last used.
 */
export function viewListedDeployKeys(
  ctx: UserCtx,
  found: RepositoryWithAccess,
  rows: readonly DeployKeyRow[],
): ListedDeployKey[] {
  return rows.map(row => ({
    ...view(ctx, found, row),
    ...readStoredKey(row.content),
    last_used_address: row.last_used_address || null,
  }))
}

function view(
  { config }: UserCtx,
  { repository, owner }: RepositoryWithAccess,
  row: DeployKeyRow,
): Omit<DeployKey, 'repository'> {
  return {
    id: row.id,
    key_id: row.key_id,
    key: row.content,
    url: `${config.baseUrl}/api/v1/repos/${owner.name}/${repository.name}/keys/${row.id}`,
    title: row.title,
    fingerprint: row.fingerprint,
    created_at: wireTime(row.created_at),
    last_used_at: row.last_used_at && wireTime(row.last_used_at),
    expires_at: row.expires_at && wireTime(row.expires_at),
    read_only: row.mode === 'read',
  }
}
