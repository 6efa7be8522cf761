import { jobSubject, repositoryAccess } from '@/server/access'
import { type AccessMode, atLeast, lowest } from '@/server/access/access-mode'
import { findJobGrant } from '@/server/auth/credentials/job-grant'
import type { ServiceCtx } from '@/server/kernel/ctx'
import type { JobRow } from '../job-store'
import type { RunFor } from '../load'
import type { TokenScope } from './schema'

/**
 * Returns what the token of a job can do by its workflow, the settings of now, and the access of the person who
 * caused the run. Scopes without access are left out, and so are those without effect except `id-token`.
 */
export async function tokenScopesOf(
  { db }: Pick<ServiceCtx, 'db'>,
  { repository, owner, run }: RunFor,
  { permissions: requested }: Pick<JobRow, 'permissions'>,
): Promise<TokenScope[]> {
  const target = { repositoryId: repository.id, ownerId: repository.owner_id }
  const grant = await findJobGrant(db, target, { requested, event: run.event, actorId: run.actor_id })
  const subject = jobSubject({ repositoryId: repository.id, ...grant })
  const { units } = await repositoryAccess(db, subject, { ...repository, owner })
  return [
    ...scopeOf('contents', lowest(units['repo.code'].mode, units['repo.releases'].mode)),
    ...scopeOf('actions', units['repo.actions'].mode),
    ...(requested?.scopes['id-token'] === 'write'
      ? [{ scope: 'id-token', access: 'write', has_effect: false } as const]
      : []),
  ]
}

function scopeOf(scope: 'contents' | 'actions', mode: AccessMode): TokenScope[] {
  if (mode === 'none') return []
  return [{ scope, access: atLeast(mode, 'write') ? 'write' : 'read', has_effect: true }]
}
