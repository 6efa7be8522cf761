import type { Caller, JobCaller, UserCaller } from '@/server/kernel/caller'
import { forbidden } from '@/server/kernel/errors'
import type { JobPermissions } from '@/server/kernel/job-permissions'
import { isPublicOnly } from '@/server/kernel/scopes'
import type { Subject } from './decide'

type Person = Extract<Subject, { kind: 'user' }>

/**
 * Converts the caller of a request to the subject of access decisions. Callers other than users are
 * anonymous, except that a workflow job can also use its own repository, and a deploy key can also access
 * the code of the repositories to which it was added.
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
      return jobSubject(caller)
    case 'deployKey':
      return { kind: 'anonymous', deployKey: { id: caller.keyId, asOf: caller.asOf } }
    case 'anonymous':
    case 'system':
    case 'runner':
      return { kind: 'anonymous' }
  }
}

/** Converts what a job's token is allowed to the subject of access decisions. */
export function jobSubject({
  repositoryId,
  permissions,
  actor,
}: Pick<JobCaller, 'repositoryId' | 'permissions' | 'actor'>): Subject {
  const { statuses } = permissions
  const job = { repositoryId, units: unitsOf(permissions), statuses, actor: actor && subjectFor(actor) }
  return { kind: 'anonymous', job }
}

// Code and releases are both contents. Commit statuses are not a unit.
const unitsOf = ({ contents, actions, packages }: JobPermissions) => ({
  'repo.code': contents,
  'repo.releases': contents,
  'repo.actions': actions,
  'repo.packages': packages,
})

/** Converts an account to the subject of access decisions, without the restrictions of any token. */
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
 * Requires that the requested object is public if the caller's token is limited to public data. `what` is the
 * kind of object, for the error message.
 * @throws {DomainError} forbidden if the token is limited to public data and the object is not public.
 */
export function requirePublic(caller: Caller, what: 'orgs' | 'users' | 'repos', isPublic: boolean): void {
  if (!isPublic && seesOnlyPublic(caller)) throw forbidden(`token scope is limited to public ${what}`)
}
