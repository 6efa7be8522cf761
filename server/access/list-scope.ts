import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '@/db/client'
import { anyOf } from '@/db/sql'
import type { Visibility } from '@/db/tables/users'
import type { Subject } from './decide'
import { openToAll, selectGrantingTeams } from './repository-sql'

/**
 * The set of repositories that a list query covers: those of certain owners, and those granted to one person.
 * The two parts are kept separate so that each can be read in index order.
 */
export interface ListScope {
  /** Owners whose repositories are all in the list, or only the public ones if `onlyPublic` is set. */
  owners: readonly number[]
  onlyPublic: boolean
  granted?: Granted
}

/**
 * Repositories granted to one person through these teams or as a collaborator, in addition to those of the
 * listed owners.
 */
interface Granted {
  userId: number
  teams: readonly number[]
  ofOwner?: number
  only?: 'private' | 'open' | undefined
}

/**
 * Returns the scope for listing the repositories of one owner that the subject can see. The subject must be
 * able to see the owner. `isMember` is true for a member of an owner that is an organization.
 */
export async function scopeOfOwner(
  db: Db,
  subject: Subject,
  owner: { id: number },
  isMember: boolean,
): Promise<ListScope> {
  const everything: ListScope = { owners: [owner.id], onlyPublic: false }
  const whatIsPublic: ListScope = { owners: [owner.id], onlyPublic: true }
  if (subject.kind === 'anonymous') return whatIsPublic
  const teams = isMember ? await selectGrantingTeams(db, subject.id, owner.id) : []
  if (subject.isAdmin || subject.id === owner.id || teams.some(team => team.isWhole)) {
    return subject.publicOnly ? whatIsPublic : everything
  }
  const granted = { userId: subject.id, teams: teams.map(team => team.id), ofOwner: owner.id }
  return subject.publicOnly ? whatIsPublic : { ...whatIsPublic, granted: { ...granted, only: 'private' } }
}

/**
 * Returns the scope for listing the repositories that the user owns or has grants on, limited to those that
 * the user can see. `visibility` is the visibility of the user's account.
 */
export async function scopeOfOwn(
  db: Db,
  subject: Extract<Subject, { kind: 'user' }>,
  visibility: Visibility,
): Promise<ListScope> {
  const { publicOnly } = subject
  const teams = await selectGrantingTeams(db, subject.id)
  const wholeOrgs = teams.filter(team => team.isWhole).map(team => team.org)
  const owners = [{ id: subject.id, isPublic: visibility === 'public' }, ...wholeOrgs]
    .filter(owner => owner.isPublic || !publicOnly)
    .map(owner => owner.id)
  const single = teams.filter(team => !owners.includes(team.org.id)).map(team => team.id)
  return {
    owners: [...new Set(owners)],
    onlyPublic: publicOnly,
    granted: { userId: subject.id, teams: single, only: publicOnly ? 'open' : undefined },
  }
}

/**
 * SQL expression for the number of repositories that the owners in the scope have; only public repositories
 * count if `onlyPublic` is set. Sums the counts stored with the owners instead of counting repositories.
 */
export const ownedTotal = ({ owners, onlyPublic }: ListScope): RawBuilder<number> => sql<number>`(
  select coalesce(sum(${sql.ref(onlyPublic ? 'public_repository_count' : 'repository_count')}), 0)::bigint
  from users where users.id = ${anyOf(owners)})`

/**
 * SQL condition on `repositories` that excludes private ones if the scope has `onlyPublic` set. Does not
 * filter by owner. Contains no parameters, so that PostgreSQL can use the partial index with the same
 * condition.
 */
export const ownedWhere = ({ onlyPublic }: ListScope): RawBuilder<SqlBool> =>
  onlyPublic ? sql`not repositories.is_private` : sql`true`

/**
 * SQL for a common table expression named `granted`: the repositories granted to the person in the scope
 * through a team or as a collaborator, except those that the scope already includes by their owner. The
 * column `id` is the repository ID, and `sort` is the lowercase name by which lists are ordered. Without
 * grants in the scope, the result has no rows.
 */
export function grantedTable({ owners, granted }: ListScope): RawBuilder<unknown> {
  const columns = sql`select repositories.id, lower(repositories.name) as sort from repositories`
  if (!granted) return sql`granted as (${columns} where false)`
  const condition =
    granted.ofOwner === undefined
      ? sql`repositories.owner_id <> all (${[...owners]}::bigint[])`
      : sql`repositories.owner_id = ${granted.ofOwner}`
  return sql`granted as materialized (
    ${columns}
    join (
      select team_repositories.repository_id
      from team_repositories
      where team_repositories.team_id = ${anyOf(granted.teams)}
      union
      select repository_collaborators.repository_id
      from repository_collaborators
      where repository_collaborators.user_id = ${granted.userId}) held on held.repository_id = repositories.id
    where ${condition} and ${kindOf(granted.only)})`
}

function kindOf(only: Granted['only']): RawBuilder<SqlBool> {
  if (only === 'private') return sql`repositories.is_private`
  return only === 'open' ? openToAll : sql`true`
}
