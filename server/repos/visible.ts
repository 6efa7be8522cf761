import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Asker } from '@/server/kernel/permissions/decide'
import { isGivenTo } from './given'

type Condition = RawBuilder<SqlBool>
type Person = Extract<Asker, { kind: 'user' }>

/**
 * The rows of `repositories` this asker may know of, for a `where`: what `maySeeRepository` says of one repository,
 * said to the database for all of them.
 */
export function visibleRepositories(asker: Asker): Condition {
  if (asker.kind === 'anonymous') return openToAll
  const seen: Condition = asker.isAdmin ? sql`true` : seenBy(asker)
  return asker.publicOnly ? sql`(${openToAll} and ${seen})` : seen
}

const openToAll: Condition = sql`(not repositories.is_private and ${ownerWhere(sql`owner.visibility = 'public'`)})`

const seenBy = (asker: Person): Condition => sql`(
  repositories.owner_id = ${asker.id}
  or ${isGivenTo(asker.id)}
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
