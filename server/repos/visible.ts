import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Subject } from '@/server/access'
import type { Unit } from '@/server/access/units'
import { isGivenTo } from './given'

type Condition = RawBuilder<SqlBool>
type Person = Extract<Subject, { kind: 'user' }>

/**
 * The rows of `repositories` this subject may know of, or of which they may read this unit, for a `where`: what
 * `decideRepositoryAccess` says of one repository, said to the database for all of them.
 */
export function visibleRepositories(subject: Subject, unit?: Unit): Condition {
  if (subject.kind === 'anonymous') return openToAll
  const seen: Condition = subject.isAdmin ? sql`true` : seenBy(subject, unit)
  return subject.publicOnly ? sql`(${openToAll} and ${seen})` : seen
}

const openToAll: Condition = sql`(not repositories.is_private and ${ownerWhere(sql`owner.visibility = 'public'`)})`

const seenBy = (subject: Person, unit: Unit | undefined): Condition => sql`(
  repositories.owner_id = ${subject.id}
  or ${isGivenTo(subject.id, unit)}
  or (not repositories.is_private and ${openTo(subject)}))`

// Restricted people see what they were given, not what is open to everybody else; members see their organization's.
function openTo(subject: Person): Condition {
  const inOrganization: Condition = sql`repositories.owner_id in (
    select organization_members.org_id from organization_members where organization_members.user_id = ${subject.id})`
  if (subject.isRestricted) return inOrganization
  return sql`(${ownerWhere(sql`owner.visibility <> 'private'`)} or ${inOrganization})`
}

function ownerWhere(condition: Condition): Condition {
  return sql`exists (select from users as owner where owner.id = repositories.owner_id and ${condition})`
}
