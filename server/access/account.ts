import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Visibility } from '@/db/tables/users'
import type { Subject } from './decide'

/** Limited people are for everybody who is signed in, private ones for themselves and administrators. */
export function maySeePerson(subject: Subject, person: { id: number; visibility: Visibility }): boolean {
  if (person.visibility === 'public') return true
  if (subject.kind === 'anonymous') return false
  return subject.isAdmin || subject.id === person.id || person.visibility === 'limited'
}

/** The rows of `users` that are people whom this subject may see, for a `where`; undefined where nobody is hidden. */
export function visiblePeople(subject: Subject): RawBuilder<SqlBool> | undefined {
  if (subject.kind === 'anonymous' || subject.publicOnly) return sql`users.visibility = 'public'`
  if (subject.isAdmin) return undefined
  return sql`(users.visibility in ('public', 'limited') or users.id = ${subject.id})`
}
