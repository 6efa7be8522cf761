import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Asker } from '@/server/kernel/permissions/decide'
import type { Unit } from '@/server/kernel/permissions/units'
import { isGivenTo } from './given'

type Condition = RawBuilder<SqlBool>
type Person = Extract<Asker, { kind: 'user' }>

/**
 * The rows of `repositories` this asker may know of, or of which they may read this unit, for a `where`: what
 * `decideRepositoryAccess` says of one repository, said to the database for all of them.
 */
export function visibleRepositories(asker: Asker, unit?: Unit): Condition {
  if (asker.kind === 'anonymous') return openToAll
  const seen: Condition = asker.isAdmin ? sql`true` : seenBy(asker, unit)
  return asker.publicOnly ? sql`(${openToAll} and ${seen})` : seen
}

const openToAll: Condition = sql`(not repositories.is_private and ${ownerWhere(sql`owner.visibility = 'public'`)})`

const seenBy = (asker: Person, unit: Unit | undefined): Condition => sql`(
  repositories.owner_id = ${asker.id}
  or ${isGivenTo(asker.id, unit)}
  or (not repositories.is_private and ${openTo(asker)}))`

// Restricted people see what they were given, not what is open to everybody else; members see their organization's.
function openTo(asker: Person): Condition {
  const inOrganization: Condition = sql`repositories.owner_id in (
    select organization_members.org_id from organization_members where organization_members.user_id = ${asker.id})`
  if (asker.isRestricted) return inOrganization
  return sql`(${ownerWhere(sql`owner.visibility <> 'private'`)} or ${inOrganization})`
}

function ownerWhere(condition: Condition): Condition {
  return sql`exists (select from users as owner where owner.id = repositories.owner_id and ${condition})`
}
