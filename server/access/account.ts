import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Visibility } from '@/db/tables/users'
import type { Subject } from './decide'

/**
 * Tells whether this subject may see a person. Limited people are for everybody who is signed in and not restricted, private
 * ones for themselves and administrators. Whoever works with somebody sees their name there all the same.
 */
export function maySeePerson(subject: Subject, person: { id: number; visibility: Visibility }): boolean {
  if (person.visibility === 'public') return true
  if (subject.kind === 'anonymous') return false
  if (subject.isAdmin || subject.id === person.id) return true
  return person.visibility === 'limited' && !subject.isRestricted
}

/** The rows of `users` that are people whom this subject may see, for a `where`; undefined where nobody is hidden. */
export function visiblePeople(subject: Subject): RawBuilder<SqlBool> | undefined {
  if (subject.kind === 'anonymous' || subject.publicOnly) return sql`users.visibility = 'public'`
  if (subject.isAdmin) return undefined
  const open = subject.isRestricted
    ? sql`users.visibility = 'public'`
    : sql`users.visibility in ('public', 'limited')`
  return sql`(${open} or users.id = ${subject.id})`
}
