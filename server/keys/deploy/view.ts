import { isAdmin, isSelf } from '@/server/kernel/caller'
import type { UserCtx } from '@/server/kernel/ctx'
import { wireTime } from '@/server/kernel/wire'
import { type RepositoryWithAccess, viewRepository } from '@/server/repos'
import type { DeployKey } from './schema'
import type { DeployKeyRow } from './store'

/** Shows keys of a repository to one of its administrators. */
export function viewDeployKeys(
  ctx: UserCtx,
  found: RepositoryWithAccess,
  rows: readonly DeployKeyRow[],
): DeployKey[] {
  const { repository, owner } = found
  const at = `${ctx.config.baseUrl}/api/v1/repos/${owner.name}/${repository.name}/keys`
  const showsRepository = isAdmin(ctx.caller) || isSelf(ctx.caller, owner.id)
  const shared = showsRepository ? { repository: viewRepository(ctx, found) } : {}
  return rows.map(row => ({
    id: row.id,
    key_id: row.key_id,
    key: row.content,
    url: `${at}/${row.id}`,
    title: row.title,
    fingerprint: row.fingerprint,
    created_at: wireTime(row.created_at),
    last_used_at: row.last_used_at && wireTime(row.last_used_at),
    expires_at: row.expires_at && wireTime(row.expires_at),
    read_only: row.mode === 'read',
    ...shared,
  }))
}

/** Shows a key of a repository to one of its administrators. */
export function viewDeployKey(ctx: UserCtx, found: RepositoryWithAccess, row: DeployKeyRow): DeployKey {
  return viewDeployKeys(ctx, found, [row])[0] as DeployKey
}
