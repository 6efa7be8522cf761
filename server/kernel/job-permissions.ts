import type { JobAccess, StoredPermissions } from '@/db/tables/workflow-permissions'
import { type DomainError, forbidden } from './errors'

export type { JobAccess }

/** Scopes of `permissions` that decide what the token of a job can do. */
export const jobScopes = ['contents', 'actions', 'statuses', 'packages'] as const
export type JobScope = (typeof jobScopes)[number]

/** What the token of a job can do in the repository of the job, by scope. */
export type JobPermissions = Readonly<Record<JobScope, JobAccess>>

/** What a workflow requests for the token of a job. */
export type RequestedPermissions = StoredPermissions

const levels = ['none', 'read', 'write'] as const satisfies readonly JobAccess[]

export const includesAccess = (held: JobAccess, needed: JobAccess): boolean =>
  levels.indexOf(held) >= levels.indexOf(needed)

export const lowerAccess = (one: JobAccess, other: JobAccess): JobAccess =>
  includesAccess(one, other) ? other : one

/** Returns the permissions that have for each scope what the function returns. */
export function perJobScope(access: (scope: JobScope) => JobAccess): JobPermissions {
  return Object.fromEntries(jobScopes.map(scope => [scope, access(scope)])) as JobPermissions
}

/** Returns the lower access of two for each scope. */
export const clampPermissions = (held: JobPermissions, ceiling: JobPermissions): JobPermissions =>
  perJobScope(scope => lowerAccess(held[scope], ceiling[scope]))

export const everyJobScope = (access: JobAccess): JobPermissions => perJobScope(() => access)

// `packages: read` has no effect yet, but is part of what GitHub grants by default.
const readByDefault: JobPermissions = {
  contents: 'read',
  actions: 'read',
  statuses: 'none',
  packages: 'read',
}

/** Settings of a repository, an owner or the site that limit the tokens of jobs. */
export interface JobTokenSettings {
  /** What a token can do if the workflow does not state it; null for the next of these settings. */
  default: 'read' | 'write' | null
  ceiling: JobPermissions
}

/**
 * Decides what the token of a job can do by its workflow and by the settings of the repository, its owner and
 * the site, in this order. The first default that is set applies if the workflow requests nothing, and every
 * ceiling applies.
 */
export function decideJobPermissions(
  requested: RequestedPermissions | null,
  settings: readonly JobTokenSettings[],
): JobPermissions {
  const fallback = settings.find(scope => scope.default !== null)?.default ?? 'read'
  const byDefault = fallback === 'write' ? everyJobScope('write') : readByDefault
  const stated = requested ? perJobScope(scope => requested.scopes[scope] ?? 'none') : byDefault
  const first = requested?.withinDefault ? clampPermissions(stated, byDefault) : stated
  return settings.reduce((held, { ceiling }) => clampPermissions(held, ceiling), first)
}

/** Returns the refusal of what the token of a job lacks a permission for. */
export const needsPermission = (scope: JobScope, access: JobAccess): DomainError =>
  forbidden(
    `The token of this job needs ${scope}: ${access}. Request it with permissions in the workflow; the settings of the repository, its owner and the site can limit it, and so can the access of the person who caused the run.`,
  )
