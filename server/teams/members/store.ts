import { type SelectQueryBuilder, sql, type Transaction } from 'kysely'
import type { Db } from '@/db/client'
import { affectedRows, anyOf, countRows, inSubquery, likePattern, oneOf, windowTotal } from '@/db/sql'
import type { Database } from '@/db/tables'
import { type Account, accountColumns } from '@/server/kernel/account'
import { offsetOf, type PageRequest } from '@/server/kernel/pagination'
import type { BrowseMembersInput } from '../schema'
import type { TeamRef } from '../store'

export async function isTeamMember(db: Db, teamId: number, userId: number): Promise<boolean> {
  const row = await db
    .selectFrom('team_members')
    .select('user_id')
    .where('team_id', '=', teamId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return row !== undefined
}

/** Returns whether a person is in the team and their membership in its organization is public. */
export async function isPublicMember(db: Db, teamId: number, userId: number): Promise<boolean> {
  const row = await db
    .selectFrom('team_members')
    .innerJoin('organization_members', join =>
      join
        .onRef('organization_members.org_id', '=', 'team_members.org_id')
        .onRef('organization_members.user_id', '=', 'team_members.user_id'),
    )
    .select('team_members.user_id')
    .where('team_members.team_id', '=', teamId)
    .where('team_members.user_id', '=', userId)
    .where('organization_members.is_public', '=', true)
    .executeTakeFirst()
  return row !== undefined
}

/** Adds a person to a team and, if needed, to its organization. Returns which of the two they joined. */
export async function insertMember(
  trx: Transaction<Database>,
  team: TeamRef,
  userId: number,
): Promise<{ joinedTeam: boolean; joinedOrganization: boolean }> {
  const organization = await trx
    .insertInto('organization_members')
    .values({ org_id: team.org_id, user_id: userId })
    .onConflict(conflict => conflict.doNothing())
    .executeTakeFirst()
  const membership = await trx
    .insertInto('team_members')
    .values({ team_id: team.id, org_id: team.org_id, user_id: userId })
    .onConflict(conflict => conflict.doNothing())
    .executeTakeFirst()
  return { joinedTeam: affectedRows(membership) > 0, joinedOrganization: affectedRows(organization) > 0 }
}

/**
 * Locks the organization memberships of everyone in the teams or, if `userIds` is set, only of those people.
 * Must be called before team memberships are changed: renaming an account locks organization memberships
 * before team memberships, so the opposite order could deadlock.
 */
export async function lockMemberships(
  trx: Transaction<Database>,
  orgId: number,
  teamIds: readonly number[],
  userIds?: readonly number[],
): Promise<void> {
  let inTeams = trx.selectFrom('team_members').select('user_id').where('team_id', '=', oneOf(teamIds))
  if (userIds !== undefined) inTeams = inTeams.where('user_id', '=', oneOf(userIds))
  await trx
    .selectFrom('organization_members')
    .select('user_id')
    .where('org_id', '=', orgId)
    .where(inSubquery('user_id', inTeams))
    .orderBy('user_id')
    .forUpdate()
    .execute()
}

/** Deletes these people's memberships in the team and returns the IDs of those who were members. */
export async function deleteMembers(
  trx: Transaction<Database>,
  team: TeamRef,
  userIds: readonly number[],
): Promise<number[]> {
  const rows = await trx
    .deleteFrom('team_members')
    .where('team_id', '=', team.id)
    .where('user_id', '=', oneOf(userIds))
    .returning('user_id')
    .execute()
  return rows.map(row => row.user_id)
}

/** Deletes all memberships of these teams and returns the deleted rows. */
export async function deleteAllMembers(
  trx: Transaction<Database>,
  teamIds: readonly number[],
): Promise<{ team_id: number; user_id: number }[]> {
  return await trx
    .deleteFrom('team_members')
    .where('team_id', '=', oneOf(teamIds))
    .returning(['team_id', 'user_id'])
    .execute()
}

/** Returns the first `limit` usernames of these people in alphabetical order. */
export async function selectFirstNames(
  trx: Transaction<Database>,
  userIds: readonly number[],
  limit: number,
): Promise<string[]> {
  if (userIds.length === 0) return []
  const rows = await trx
    .selectFrom('users')
    .select('name')
    .where('id', '=', anyOf(userIds))
    .orderBy(sql`lower(name)`)
    .limit(limit)
    .execute()
  return rows.map(row => row.name)
}

/** Returns the IDs of these people who are members of the team. */
export async function selectMembersAmong(
  db: Db,
  teamId: number,
  personIds: readonly number[],
): Promise<Set<number>> {
  const rows = await db
    .selectFrom('team_members')
    .select('user_id')
    .where('team_id', '=', teamId)
    .where('user_id', '=', anyOf(personIds))
    .execute()
  return new Set(rows.map(row => row.user_id))
}

/**
 * Returns a page of the IDs of a team's members, sorted by full name, then username. An index provides this
 * order, so a page costs the same in a large team as in a small one. The total is stored in the team's row.
 */
export async function selectMemberIds(db: Db, teamId: number, page: PageRequest): Promise<number[]> {
  const rows = await db
    .selectFrom('team_members')
    .select('user_id')
    .where('team_id', '=', teamId)
    .orderBy('shown_name')
    .orderBy('name')
    .orderBy('user_id')
    .limit(page.limit)
    .offset(offsetOf(page))
    .execute()
  return rows.map(row => row.user_id)
}

/**
 * Returns a page of the team's members whose membership in the organization is public, sorted by full name,
 * then username, with the total.
 */
export function selectPublicMembers(
  db: Db,
  teamId: number,
  page: PageRequest,
): Promise<(Account & { total: number })[]> {
  return publicMembers(db, teamId)
    .innerJoin('users', 'users.id', 'team_members.user_id')
    .select([...accountColumns, windowTotal])
    .orderBy('team_members.shown_name')
    .orderBy('team_members.name')
    .orderBy('team_members.user_id')
    .limit(page.limit)
    .offset(offsetOf(page))
    .execute()
}

export function countPublicMembers(db: Db, teamId: number): Promise<number> {
  return countRows(publicMembers(db, teamId))
}

function publicMembers(
  db: Db,
  teamId: number,
): SelectQueryBuilder<Database, 'team_members' | 'organization_members', object> {
  return db
    .selectFrom('team_members')
    .innerJoin('organization_members', join =>
      join
        .onRef('organization_members.org_id', '=', 'team_members.org_id')
        .onRef('organization_members.user_id', '=', 'team_members.user_id'),
    )
    .where('team_members.team_id', '=', teamId)
    .where('organization_members.is_public', '=', true)
}

/**
 * Returns a page of the team's members whose username or full name contains the text, with the total. Reads
 * all members of the team.
 */
export function selectMatchingMembers(
  db: Db,
  teamId: number,
  wanted: Pick<BrowseMembersInput, 'q' | 'sort' | 'page' | 'limit'>,
): Promise<(Account & { total: number })[]> {
  let query = matchingMembers(db, teamId, wanted.q).select([...accountColumns, windowTotal])
  if (wanted.sort === 'full_name') query = query.orderBy('team_members.shown_name')
  if (wanted.sort === 'newest') query = query.orderBy('team_members.created_at', 'desc')
  if (wanted.sort === 'oldest') query = query.orderBy('team_members.created_at')
  return query
    .orderBy('team_members.name')
    .orderBy('team_members.user_id')
    .limit(wanted.limit)
    .offset(offsetOf(wanted))
    .execute()
}

export function countMatchingMembers(db: Db, teamId: number, q: string): Promise<number> {
  return countRows(matchingMembers(db, teamId, q))
}

function matchingMembers(
  db: Db,
  teamId: number,
  q: string,
): SelectQueryBuilder<Database, 'team_members' | 'users', object> {
  const query = db
    .selectFrom('team_members')
    .innerJoin('users', 'users.id', 'team_members.user_id')
    .where('team_members.team_id', '=', teamId)
  if (q === '') return query
  const pattern = likePattern(q)
  return query.where(eb =>
    eb.or([eb('team_members.name', 'like', pattern), eb('team_members.shown_name', 'like', pattern)]),
  )
}
