import type { Caller, UserCaller } from '@/server/kernel/caller'
import { forbidden } from '@/server/kernel/errors'
import { isPublicOnly } from '@/server/kernel/scopes'
import type { Subject } from './decide'

type Person = Extract<Subject, { kind: 'user' }>

/** The caller as the rules see them. What acts for no person may do what anybody may; a job also reads its repository, and a deploy key reaches the code that it is for. */
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

/** The subject for another account; token restrictions do not apply. */
export function subjectFor(account: { id: number; is_admin: boolean; is_restricted: boolean }): Person {
  const { id, is_admin: isAdmin, is_restricted: isRestricted } = account
  return { kind: 'user', id, isAdmin, isRestricted, publicOnly: false }
}

/** Whether the caller's token is limited to public data, whoever holds it. */
export function seesOnlyPublic(caller: Caller): boolean {
  const subject = subjectOf(caller)
  return subject.kind === 'user' && subject.publicOnly
}

/** @throws {DomainError} forbidden when the caller's token is limited to public data and what they ask for is not public. */
export function requirePublic(caller: Caller, what: 'orgs' | 'users' | 'repos', isPublic: boolean): void {
  if (!isPublic && seesOnlyPublic(caller)) throw forbidden(`token scope is limited to public ${what}`)
}
