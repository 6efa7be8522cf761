import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '@/db/client'
import { anyOf } from '@/db/sql'
import type { Visibility } from '@/db/tables/users'
import type { Subject } from './decide'
import { openToAll, selectGrantingTeams } from './repository-sql'

/** Where a list of repositories is drawn from, so that each part of it is read in the order of an index. */
export interface ListScope {
  /** Owners of whom the list has everything, or everything public. */
  owners: readonly number[]
  onlyPublic: boolean
  granted?: Granted
}

/** What one person was granted besides what the owners bring in: by these teams, and as a collaborator. */
interface Granted {
  userId: number
  teams: readonly number[]
  ofOwner?: number
  only?: 'private' | 'open' | undefined
}

/** The repositories of one owner that a subject may see, who may see the owner. */
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

/** The repositories that a person owns or was granted something on, as far as the subject, which is them, may see them. */
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
 * The number of repositories that the owners bring in. Their counts are kept with them; only grants have to be
 * counted.
 */
export const ownedTotal = ({ owners, onlyPublic }: ListScope): RawBuilder<number> => sql<number>`(
  select coalesce(sum(${sql.ref(onlyPublic ? 'public_repository_count' : 'repository_count')}), 0)::bigint
  from users where users.id = ${anyOf(owners)})`

/** Rows of `repositories` that an owner brings in. Literally, as the partial index has it: the planner looks into no parameter. */
export const ownedWhere = ({ onlyPublic }: ListScope): RawBuilder<SqlBool> =>
  onlyPublic ? sql`not repositories.is_private` : sql`true`

/** The common table `granted (id, sort)`: repositories granted to the person by a team or as a collaborator. */
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
