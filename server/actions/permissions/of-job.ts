import { jobSubject, type RepositoryAccess, repositoryAccess } from '@/server/access'
import { type AccessMode, atLeast, lowest } from '@/server/access/access-mode'
import type { Unit } from '@/server/access/units'
import { findJobGrant } from '@/server/auth/credentials/job-grant'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { type JobAccess, jobScopes } from '@/server/kernel/job-permissions'
import type { JobRow } from '../job-store'
import type { RunFor } from '../load'
import type { TokenScope } from './schema'

/**
 * Returns what the token of a job can do by its workflow, the settings of now, and the access of the person who
 * caused the run. Scopes without access are left out. Null for a job that calls a workflow, which has no token.
 */
export async function tokenScopesOf(
  { db }: Pick<ServiceCtx, 'db'>,
  { repository, owner, run }: RunFor,
  { permissions: requested, call }: Pick<JobRow, 'permissions' | 'call'>,
): Promise<TokenScope[] | null> {
  if (call) return null
  const target = { repositoryId: repository.id, ownerId: repository.owner_id }
  const grant = await findJobGrant(db, target, { requested, event: run.event, actorId: run.actor_id })
  const subject = jobSubject({ repositoryId: repository.id, ...grant })
  const { units, statuses } = await repositoryAccess(db, subject, { ...repository, owner })
  const code = units['repo.code']
  const releases = units['repo.releases']
  const contents = lowest(code.mode, releases.mode) === code.mode ? code : releases
  const { packages } = grant.permissions
  const others = Object.entries(requested?.scopes ?? {}).filter(([scope]) => !isJobScope(scope))
  return [
    ...scopeOf('contents', contents),
    ...scopeOf('actions', units['repo.actions']),
    ...statusesScope(statuses),
    ...Object.entries({ packages, ...Object.fromEntries(others) }).flatMap(withoutEffect),
  ]
}

const isJobScope = (scope: string): boolean => jobScopes.some(each => each === scope)

function scopeOf(scope: string, { mode, reasons }: RepositoryAccess['units'][Unit]): TokenScope[] {
  if (mode === 'none') return []
  const isGranted = reasons.some(({ source }) => source === 'job')
  const access = atLeast(mode, 'write') ? 'write' : 'read'
  return [{ scope, access, note: isGranted ? null : 'public' }]
}

// They can be read with the contents.
const statusesScope = (mode: AccessMode = 'none'): TokenScope[] =>
  atLeast(mode, 'write') ? [{ scope: 'statuses', access: 'write', note: null }] : []

const withoutEffect = ([scope, access]: [string, JobAccess]): TokenScope[] =>
  access === 'none' ? [] : [{ scope, access, note: 'no_effect' }]
