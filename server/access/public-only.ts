import type { Caller } from '@/server/kernel/caller'
import { forbidden } from '@/server/kernel/errors'
import { subjectOf } from './subject'

/** Whether the caller's token is limited to public data, whoever holds it. */
export function seesOnlyPublic(caller: Caller): boolean {
  const subject = subjectOf(caller)
  return subject.kind === 'user' && subject.publicOnly
}

/** @throws {DomainError} forbidden when the caller's token is limited to public data and what they ask for is not public. */
export function requirePublic(caller: Caller, what: 'orgs' | 'users' | 'repos', isPublic: boolean): void {
  if (!isPublic && seesOnlyPublic(caller)) throw forbidden(`token scope is limited to public ${what}`)
}
