import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Visibility } from '@/db/tables/users'
import type { Subject } from './decide'

/**
 * Returns whether the subject can see a person's profile. Limited profiles are visible to everyone who is
 * signed in and not restricted; private profiles are visible to the person and to administrators. People who
 * work together in a repository or organization see each other's names in any case.
 */
export function maySeePerson(subject: Subject, person: { id: number; visibility: Visibility }): boolean {
  if (person.visibility === 'public') return true
  if (subject.kind === 'anonymous') return false
  if (subject.isAdmin || subject.id === person.id) return true
  return person.visibility === 'limited' && !subject.isRestricted
}

/**
 * Returns an SQL condition on `users` that selects the people whom the subject can see, or undefined if the
 * subject can see everyone.
 */
export function visiblePeople(subject: Subject): RawBuilder<SqlBool> | undefined {
  if (subject.kind === 'anonymous' || subject.publicOnly) return sql`users.visibility = 'public'`
  if (subject.isAdmin) return undefined
  const open = subject.isRestricted
    ? sql`users.visibility = 'public'`
    : sql`users.visibility in ('public', 'limited')`
  return sql`(${open} or users.id = ${subject.id})`
}
