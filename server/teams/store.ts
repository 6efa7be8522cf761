import {
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

/** A team with its organization, as rows of members and repositories refer to it. */
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

/** Finds a team, and whether this person is in it. */
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

/** Selects teams by their ids; one that does not exist is absent. */
export async function selectTeamsById(db: Db, ids: readonly number[]): Promise<Map<number, TeamRow>> {
  const rows = await db.selectFrom('teams').select(teamColumns).where('teams.id', '=', anyOf(ids)).execute()
  return new Map(rows.map(row => [row.id, row]))
}

/** Finds a team by its name, in any case. */
export function findTeamByName(db: Db, orgId: number, name: string): Promise<TeamRow | undefined> {
  return db
    .selectFrom('teams')
    .select(teamColumns)
    .where('org_id', '=', orgId)
    .where(sql`lower(name)`, '=', name.toLowerCase())
    .executeTakeFirst()
}

/** Locks a team until the transaction ends and reads it again; undefined when it is deleted. */
export function lockTeam(trx: Transaction<Database>, id: number): Promise<TeamRow | undefined> {
  return trx
    .selectFrom('teams')
    .select(teamColumns)
    .where('teams.id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

export function insertTeam(trx: Transaction<Database>, team: Insertable<TeamsTable>): Promise<TeamRow> {
  return trx.insertInto('teams').values(team).returning(teamColumns).executeTakeFirstOrThrow()
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

/** Locks those of these teams that the organization has until the transaction ends, and reads them again. */
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

/** Deletes teams with their units, memberships and attached repositories. */
export async function deleteTeams(trx: Transaction<Database>, ids: readonly number[]): Promise<void> {
  await trx.deleteFrom('teams').where('id', '=', oneOf(ids)).execute()
}

const lowerName = sql`lower(teams.name)`

/** By `name`, the owners come first. */
export type TeamSort = BrowseTeamsInput['sort']

function ordered<O>(
  query: SelectQueryBuilder<Database, 'teams', O>,
  sort: TeamSort,
): SelectQueryBuilder<Database, 'teams', O> {
  if (sort === 'newest') return query.orderBy('teams.id', 'desc')
  const first = sort === 'members' ? ('teams.member_count' as const) : ('teams.is_owners' as const)
  return query.orderBy(first, 'desc').orderBy(lowerName).orderBy('teams.id')
}

/** Selects a page of an organization's teams. An index holds each order. */
export function selectOrgTeams(
  db: Db,
  orgId: number,
  page: PageRequest,
  sort: TeamSort = 'name',
): Promise<TeamRow[]> {
  const all = db.selectFrom('teams').select(teamColumns).where('teams.org_id', '=', orgId)
  return ordered(all, sort).limit(page.limit).offset(offsetOf(page)).execute()
}

/** How many teams an organization has. Read from its row, as counting them for each page would be slow. */
export async function countOrgTeams(db: Db, orgId: number): Promise<number> {
  const row = await db.selectFrom('users').select('team_count').where('id', '=', orgId).executeTakeFirst()
  return row?.team_count ?? 0
}

export interface TeamFilter {
  /** Only of this organization. */
  orgId?: number | undefined
  /** Only those this person is in. */
  memberId?: number | undefined
  /** Part of a name, in any case; of a description too when asked for. */
  text?: { part: string; inDescription: boolean } | undefined
}

/**
 * Selects a page of the teams that match, with their total. It reads every match, and a search every team of the
 * organization: milliseconds at thousands.
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

/** Selects those of these teams that one person is in. */
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
