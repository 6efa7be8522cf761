import type { Caller, UserCaller } from '@/server/kernel/caller'
import { forbidden } from '@/server/kernel/errors'
import { isPublicOnly } from '@/server/kernel/scopes'
import type { Subject } from './decide'

type Person = Extract<Subject, { kind: 'user' }>

/**
 * Returns the subject that the access rules see for a caller. Callers that act for no person get anonymous
 * access; a job can also read its repository, and a deploy key can also reach the code of its repositories.
 */
export function subjectOf(caller: UserCaller): Person
export function subjectOf(caller: Caller): Subject
export function subjectOf(caller: Caller): Subject {
  switch (caller.kind) {
    case 'user': {
      const { user, credential } = caller
      const publicOnly = credential.kind === 'token' && isPublicOnly(credential.scopes)
      return {
        kind: 'user',
        id: user.id,
        isAdmin: user.is_admin,
        isRestricted: user.is_restricted,
        publicOnly,
      }
    }
    case 'job':
      return { kind: 'anonymous', jobOf: caller.repositoryId }
    case 'deployKey':
      return { kind: 'anonymous', deployKey: { id: caller.keyId, asOf: caller.asOf } }
    case 'anonymous':
    case 'system':
    case 'runner':
      return { kind: 'anonymous' }
  }
}

/** Returns the subject for an account other than the caller's; token restrictions do not apply. */
export function subjectFor(account: { id: number; is_admin: boolean; is_restricted: boolean }): Person {
  const { id, is_admin: isAdmin, is_restricted: isRestricted } = account
  return { kind: 'user', id, isAdmin, isRestricted, publicOnly: false }
}

/** Returns whether the caller uses a token that is limited to public data. */
export function seesOnlyPublic(caller: Caller): boolean {
  const subject = subjectOf(caller)
  return subject.kind === 'user' && subject.publicOnly
}

/**
 * Checks that a caller whose token is limited to public data requests something public.
 * @throws {DomainError} forbidden if the token is limited to public data and the requested object is not
 * public.
 */
export function requirePublic(caller: Caller, what: 'orgs' | 'users' | 'repos', isPublic: boolean): void {
  if (!isPublic && seesOnlyPublic(caller)) throw forbidden(`token scope is limited to public ${what}`)
}
