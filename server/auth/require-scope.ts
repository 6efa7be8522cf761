import type { Caller, UserCaller } from '@/server/kernel/caller'
import type { Config } from '@/server/kernel/config'
import { forbidden } from '@/server/kernel/errors'
import {
  hasScope,
  isPublicOnly,
  type Scope,
  type ScopeCategory,
  type ScopeLevel,
} from '@/server/kernel/scopes'

/** What a call asks of the token it comes with. */
export interface NeededScopes {
  level: ScopeLevel
  /** All of them are needed. */
  categories: readonly ScopeCategory[]
  /** Closed to tokens limited to public data. */
  isPrivate?: boolean | undefined
}

/** Words the refusal of a token by the scopes needed, such as `write:user`, and the ones it has. */
type Refusal = (needed: readonly Scope[], held: readonly Scope[]) => string

const defaultRefusal: Refusal = (needed, held) =>
  `token does not have at least one of required scope(s), required=[${needed.join(' ')}], token scope=${held.join(',')}`

/**
 * Holds a caller who came with a token to its scopes. Visitors, deploy keys and people without a token pass, and jobs where
 * they only read; what else is no person has no scopes and is refused.
 * @throws {DomainError} forbidden, for a token in the words of `refusal`.
 */
export function requireScope(caller: Caller, needed: NeededScopes, refusal: Refusal = defaultRefusal): void {
  switch (caller.kind) {
    case 'anonymous':
    // Which repositories it opens, and how far, is for the access rules.
    case 'deployKey':
      return
    case 'user':
      if (caller.credential.kind === 'token') requireHeld(caller.credential.scopes, needed, refusal)
      return
    case 'job':
      if (needed.level === 'read' && !needed.isPrivate) return
      throw forbidden('the token of a job can only read')
    case 'runner':
    case 'system':
      throw forbidden('this is for people and their tokens alone')
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
 * Where the site asks for it, holds an administrator's token to the scope `write:admin` before it acts for somebody else.
 * @throws {DomainError} forbidden
 */
export function requireAdminScope({ requireAdminScope }: Config, caller: UserCaller): void {
  if (!requireAdminScope) return
  requireScope(
    caller,
    { level: 'write', categories: ['admin'] },
    ([needed], held) =>
      `to act for somebody else this token needs the scope ${needed}, and has ${held.join(',') || 'none'}`,
  )
}
