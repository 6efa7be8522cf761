import type { Caller, UserCaller } from '@/server/kernel/caller'
import type { Config } from '@/server/kernel/config'
import { type DomainError, forbidden } from '@/server/kernel/errors'
import { includesAccess, type JobScope, needsPermission } from '@/server/kernel/job-permissions'
import {
  hasScope,
  isPublicOnly,
  type Scope,
  type ScopeCategory,
  type ScopeLevel,
} from '@/server/kernel/scopes'

/** The scopes that a call requires of an access token. */
export interface NeededScopes {
  level: ScopeLevel
  /** Every category is required, at this level. */
  categories: readonly ScopeCategory[]
  /** Refuses tokens that are limited to public data. */
  isPrivate?: boolean | undefined
  /** The permission with which jobs can make the change, or several of which one is enough; if absent, none can. */
  job?: JobScope | readonly JobScope[] | undefined
}

/** Returns the error for a job token where no permission is enough. */
export const notForJobs = (): DomainError =>
  forbidden('a job token cannot do this, whatever its permissions are')

/** Returns the message for a token that lacks scopes, from the required scopes, such as `write:user`, and the token's. */
type Refusal = (needed: readonly Scope[], held: readonly Scope[]) => string

const defaultRefusal: Refusal = (needed, held) =>
  `token does not have at least one of required scope(s), required=[${needed.join(' ')}], token scope=${held.join(',')}`

/**
 * Requires that a caller with an access token has the needed scopes. Anonymous callers, deploy keys, and people who sign in
 * without a token pass. Jobs pass if they only read data that is not private to a person, and if they have the permission
 * for a change. Runners and the system are refused.
 * @throws {DomainError} forbidden; for a token, with the message that `refusal` returns.
 */
export function requireScope(caller: Caller, needed: NeededScopes, refusal: Refusal = defaultRefusal): void {
  switch (caller.kind) {
    case 'anonymous':
    // The access rules decide which repositories a deploy key opens.
    case 'deployKey':
      return
    case 'user':
      if (caller.credential.kind === 'token') requireHeld(caller.credential.scopes, needed, refusal)
      return
    case 'job': {
      // The access rules decide what a job can read.
      if (needed.level === 'read' && !needed.isPrivate) return
      const [first, ...others] = [needed.job ?? []].flat()
      if (!first) throw notForJobs()
      if ([first, ...others].some(scope => includesAccess(caller.permissions[scope], needed.level))) return
      throw needsPermission(first, needed.level)
    }
    case 'runner':
    case 'system':
      throw forbidden('only users and their access tokens can do this')
    default:
      caller satisfies never
  }
}

function requireHeld(
  held: readonly Scope[],
  { level, categories, isPrivate = false }: NeededScopes,
  refusal: Refusal,
): void {
  if (!categories.every(category => hasScope(held, category, level))) {
    throw forbidden(
      refusal(
        categories.map(category => `${level}:${category}` as const),
        held,
      ),
    )
  }
  if (isPrivate && isPublicOnly(held)) {
    throw forbidden('this endpoint is not available for public-only tokens')
  }
}

/**
 * Requires the scope `write:admin` of an administrator's token that acts for someone else, if the site is configured so.
 * @throws {DomainError} forbidden
 */
export function requireAdminScope({ requireAdminScope }: Config, caller: UserCaller): void {
  if (!requireAdminScope) return
  requireScope(
    caller,
    { level: 'write', categories: ['admin'] },
    ([needed], held) =>
      `to act on behalf of another user, this token needs the scope ${needed}; it has ${held.join(',') || 'none'}`,
  )
}
