import {
  type Compilable,
  type Expression,
  type Insertable,
  type Selectable,
  type SelectQueryBuilder,
  type SqlBool,
  sql,
  type Transaction,
  type Updateable,
} from 'kysely'
import type { Db } from '@/db/client'
import { anyOf, countRows, inSubquery, likePattern, oneOf, windowTotal } from '@/db/sql'
import type { Database } from '@/db/tables'
import type { TeamsTable } from '@/db/tables/teams'
import { offsetOf, type PageRequest } from '@/server/kernel/pagination'
import type { BrowseTeamsInput } from './schema'

export type TeamRow = Pick<Selectable<TeamsTable>, Exclude<keyof TeamsTable, 'created_at'>>

/** IDs of a team and its organization, as used in the rows of its members and repositories. */
export type TeamRef = Pick<TeamRow, 'id' | 'org_id'>

export const teamColumns = [
  'teams.id',
  'teams.org_id',
  'teams.name',
  'teams.description',
  'teams.mode',
  'teams.is_owners',
  'teams.includes_all_repositories',
  'teams.can_create_org_repo',
  'teams.member_count',
  'teams.repository_count',
] as const

/** Finds a team by ID and returns whether the viewer is a member of it. */
export async function findTeam(
  db: Db,
  id: number,
  viewerId: number,
): Promise<{ team: TeamRow; hasViewer: boolean } | undefined> {
  const row = await db
    .selectFrom('teams')
    .leftJoin('team_members', join =>
      join.onRef('team_members.team_id', '=', 'teams.id').on('team_members.user_id', '=', viewerId),
    )
    .select([...teamColumns, 'team_members.user_id as viewer_id'])
    .where('teams.id', '=', id)
    .executeTakeFirst()
  if (!row) return undefined
  const { viewer_id, ...team } = row
  return { team, hasViewer: viewer_id !== null }
}

/** Returns the teams with these IDs. Teams that do not exist are absent from the map. */
export async function selectTeamsById(db: Db, ids: readonly number[]): Promise<Map<number, TeamRow>> {
  const rows = await db.selectFrom('teams').select(teamColumns).where('teams.id', '=', anyOf(ids)).execute()
  return new Map(rows.map(row => [row.id, row]))
}

/** Finds an organization's team by its case-insensitive name. */
export function findTeamByName(db: Db, orgId: number, name: string): Promise<TeamRow | undefined> {
  return db
    .selectFrom('teams')
    .select(teamColumns)
    .where('org_id', '=', orgId)
    .where(sql`lower(name)`, '=', name.toLowerCase())
    .executeTakeFirst()
}

/**
 * Locks a team until the end of the transaction and returns its current row, or undefined if it was deleted.
 */
export function lockTeam(trx: Transaction<Database>, id: number): Promise<TeamRow | undefined> {
  return trx
    .selectFrom('teams')
    .select(teamColumns)
    .where('teams.id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

export type NewTeam = Required<
  Pick<
    Insertable<TeamsTable>,
    'org_id' | 'name' | 'description' | 'mode' | 'includes_all_repositories' | 'can_create_org_repo'
  >
>

/** Returns the statement that inserts a team. */
export function teamInsertion(db: Db, team: NewTeam): Compilable<TeamRow> {
  return db.insertInto('teams').values(team).returning(teamColumns)
}

export function updateTeam(
  trx: Transaction<Database>,
  id: number,
  change: Updateable<TeamsTable>,
): Promise<TeamRow> {
  return trx
    .updateTable('teams')
    .set(change)
    .where('id', '=', id)
    .returning(teamColumns)
    .executeTakeFirstOrThrow()
}

/**
 * Locks the organization's teams with these IDs until the end of the transaction and returns their current
 * rows.
 */
export function lockTeams(
  trx: Transaction<Database>,
  orgId: number,
  ids: readonly number[],
): Promise<TeamRow[]> {
  return trx
    .selectFrom('teams')
    .select(teamColumns)
    .where('teams.org_id', '=', orgId)
    .where('teams.id', '=', oneOf(ids))
    .orderBy('teams.id')
    .forNoKeyUpdate()
    .execute()
}

/** Deletes teams together with their permissions, memberships, and repository assignments. */
export async function deleteTeams(trx: Transaction<Database>, ids: readonly number[]): Promise<void> {
  await trx.deleteFrom('teams').where('id', '=', oneOf(ids)).execute()
}

const lowerName = sql`lower(teams.name)`

/** Sort order of a list of teams. Sorting by `name` puts the Owners team first. */
export type TeamSort = BrowseTeamsInput['sort']

function ordered<O>(
  query: SelectQueryBuilder<Database, 'teams', O>,
  sort: TeamSort,
): SelectQueryBuilder<Database, 'teams', O> {
  if (sort === 'newest') return query.orderBy('teams.id', 'desc')
  const first = sort === 'members' ? ('teams.member_count' as const) : ('teams.is_owners' as const)
  return query.orderBy(first, 'desc').orderBy(lowerName).orderBy('teams.id')
}

/** Returns a page of an organization's teams. An index provides each sort order. */
export function selectOrgTeams(
  db: Db,
  orgId: number,
  page: PageRequest,
  sort: TeamSort = 'name',
): Promise<TeamRow[]> {
  const all = db.selectFrom('teams').select(teamColumns).where('teams.org_id', '=', orgId)
  return ordered(all, sort).limit(page.limit).offset(offsetOf(page)).execute()
}

/**
 * Returns the number of an organization's teams from a counter in its row, because counting them for each
 * page would be slow.
 */
export async function countOrgTeams(db: Db, orgId: number): Promise<number> {
  const row = await db.selectFrom('users').select('team_count').where('id', '=', orgId).executeTakeFirst()
  return row?.team_count ?? 0
}

export interface TeamFilter {
  /** Only teams of this organization. */
  orgId?: number | undefined
  /** Only teams that this person is a member of. */
  memberId?: number | undefined
  /** Text that the name or, with `inDescription`, the description must contain, ignoring case. */
  text?: { part: string; inDescription: boolean } | undefined
}

/**
 * Returns a page of the teams that match the filter, with the total. Reads all matching teams or, if the
 * filter has a text, all teams of the organization, which takes milliseconds for thousands of teams.
 */
export function selectTeams(
  db: Db,
  filter: TeamFilter,
  page: PageRequest,
  sort: TeamSort = 'name',
): Promise<(TeamRow & { total: number })[]> {
  return ordered(matching(db, filter).select([...teamColumns, windowTotal]), sort)
    .limit(page.limit)
    .offset(offsetOf(page))
    .execute()
}

export function countTeams(db: Db, filter: TeamFilter): Promise<number> {
  return countRows(matching(db, filter))
}

function matching(
  db: Db,
  { orgId, memberId, text }: TeamFilter,
): SelectQueryBuilder<Database, 'teams', object> {
  let query = db.selectFrom('teams')
  if (memberId !== undefined) query = query.where(inSubquery('teams.id', teamIdsOf(db, memberId, orgId)))
  else if (orgId !== undefined) query = query.where('teams.org_id', '=', orgId)
  return text ? query.where(containing(text)) : query
}

function teamIdsOf(db: Db, memberId: number, orgId: number | undefined): Expression<{ team_id: number }> {
  const query = db.selectFrom('team_members').select('team_id').where('user_id', '=', memberId)
  return orgId === undefined ? query : query.where('org_id', '=', orgId)
}

function containing({ part, inDescription }: { part: string; inDescription: boolean }): Expression<SqlBool> {
  const pattern = likePattern(part)
  const inName = sql<SqlBool>`lower(teams.name) like ${pattern}`
  return inDescription ? sql<SqlBool>`(${inName} or lower(teams.description) like ${pattern})` : inName
}

/** Returns the IDs of these teams that the person is a member of. */
export async function selectTeamsOfMember(
  db: Db,
  userId: number,
  teamIds: readonly number[],
): Promise<Set<number>> {
  const rows = await db
    .selectFrom('team_members')
    .select('team_id')
    .where('user_id', '=', userId)
    .where('team_id', '=', anyOf(teamIds))
    .execute()
  return new Set(rows.map(row => row.team_id))
}
