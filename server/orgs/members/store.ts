import { type SelectQueryBuilder, sql, type Transaction } from 'kysely'
import type { Db } from '@/db/client'
import { anyOf, countRows, likePattern, windowTotal } from '@/db/sql'
import type { Database } from '@/db/tables'
import { type Account, accountColumns } from '@/server/kernel/account'
import { offsetOf, type PageRequest } from '@/server/kernel/pagination'
import type { ListPeopleInput } from '../schema'

/** Finds a person's membership in an organization; undefined if they are not a member. */
export function findMember(
  db: Db,
  orgId: number,
  userId: number,
): Promise<{ is_public: boolean } | undefined> {
  return db
    .selectFrom('organization_members')
    .select('is_public')
    .where('org_id', '=', orgId)
    .where('user_id', '=', userId)
    .executeTakeFirst()
}

export async function isOrgMember(db: Db, orgId: number, userId: number): Promise<boolean> {
  return (await findMember(db, orgId, userId)) !== undefined
}

export async function insertMember(
  trx: Transaction<Database>,
  member: { org_id: number; user_id: number },
): Promise<void> {
  await trx.insertInto('organization_members').values(member).execute()
}

/**
 * People to remove from an organization. With `onlyWithoutTeam`, people who are still in one of its teams are
 * kept.
 */
export interface MembersToRemove {
  ids: readonly number[]
  onlyWithoutTeam?: boolean
}

/** Returns the memberships that these people have in the organization's teams. */
export async function selectTeamsAmong(
  trx: Transaction<Database>,
  orgId: number,
  userIds: readonly number[],
): Promise<{ userId: number; teamId: number; team: string }[]> {
  return await trx
    .selectFrom('team_members')
    .innerJoin('teams', 'teams.id', 'team_members.team_id')
    .select(['team_members.user_id as userId', 'teams.id as teamId', 'teams.name as team'])
    .where('team_members.org_id', '=', orgId)
    .where('team_members.user_id', '=', anyOf(userIds))
    .orderBy('teams.id')
    .orderBy('team_members.user_id')
    .execute()
}

/** Removes members from an organization and all of its teams. Returns those who were members. */
export async function deleteMembers(
  trx: Transaction<Database>,
  orgId: number,
  { ids, onlyWithoutTeam }: MembersToRemove,
): Promise<{ id: number; name: string }[]> {
  if (ids.length === 0) return []
  let deletion = trx
    .deleteFrom('organization_members')
    .using('users')
    .whereRef('users.id', '=', 'organization_members.user_id')
    .where('organization_members.org_id', '=', orgId)
    .where('organization_members.user_id', '=', anyOf(ids))
  if (onlyWithoutTeam) {
    deletion = deletion.where(eb =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('team_members')
            .select('team_members.user_id')
            .whereRef('team_members.org_id', '=', 'organization_members.org_id')
            .whereRef('team_members.user_id', '=', 'organization_members.user_id'),
        ),
      ),
    )
  }
  return await deletion.returning(['users.id', 'users.name']).execute()
}

export async function updateMember(
  trx: Transaction<Database>,
  orgId: number,
  userId: number,
  isPublic: boolean,
): Promise<void> {
  await trx
    .updateTable('organization_members')
    .set({ is_public: isPublic })
    .where('org_id', '=', orgId)
    .where('user_id', '=', userId)
    .execute()
}

/** Returns whether the organization has an owner who is not among these people. */
export async function hasOwnerBesides(
  trx: Transaction<Database>,
  orgId: number,
  userIds: readonly number[],
): Promise<boolean> {
  const row = await trx
    .selectFrom('teams')
    .innerJoin('team_members', 'team_members.team_id', 'teams.id')
    .select('team_members.user_id')
    .where('teams.org_id', '=', orgId)
    .where('teams.is_owners', '=', true)
    .where('team_members.user_id', '<>', sql<number>`all (${[...userIds]}::bigint[])`)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Returns the IDs of these people who are members of the organization. */
export async function selectMembersAmong(
  db: Db,
  orgId: number,
  personIds: readonly number[],
): Promise<Set<number>> {
  const rows = await db
    .selectFrom('organization_members')
    .select('user_id')
    .where('org_id', '=', orgId)
    .where('user_id', '=', anyOf(personIds))
    .execute()
  return new Set(rows.map(row => row.user_id))
}

/** Returns the IDs of these people who own the organization. */
export async function selectOwnersAmong(
  db: Db,
  orgId: number,
  personIds: readonly number[],
): Promise<Set<number>> {
  const rows = await db
    .selectFrom('teams')
    .innerJoin('team_members', 'team_members.team_id', 'teams.id')
    .select('team_members.user_id')
    .where('teams.org_id', '=', orgId)
    .where('teams.is_owners', '=', true)
    .where('team_members.user_id', '=', anyOf(personIds))
    .execute()
  return new Set(rows.map(row => row.user_id))
}

export type MembersShown = 'all' | 'public'

/**
 * Returns a page of the IDs of an organization's members, sorted by full name, then username. Indexes provide
 * this order for all members and for public members, so a page costs the same in a large organization as in a
 * small one. The total is stored in the organization's row.
 */
export async function selectMemberIds(
  db: Db,
  orgId: number,
  shown: MembersShown,
  page: PageRequest,
): Promise<number[]> {
  let query = db.selectFrom('organization_members').select('user_id').where('org_id', '=', orgId)
  if (shown === 'public') query = query.where('is_public', '=', true)
  const rows = await query
    .orderBy('shown_name')
    .orderBy('name')
    .orderBy('user_id')
    .limit(page.limit)
    .offset(offsetOf(page))
    .execute()
  return rows.map(row => row.user_id)
}

export interface PeopleWanted extends Pick<ListPeopleInput, 'q' | 'role' | 'sort'> {
  shown: MembersShown
}

type Member = 'organization_members' | 'users'

function matching(
  db: Db,
  orgId: number,
  { shown, q, role }: PeopleWanted,
): SelectQueryBuilder<Database, Member, object> {
  let query = db
    .selectFrom('organization_members')
    .innerJoin('users', 'users.id', 'organization_members.user_id')
    .where('organization_members.org_id', '=', orgId)
  if (shown === 'public') query = query.where('organization_members.is_public', '=', true)
  if (q !== '') {
    const pattern = likePattern(q)
    query = query.where(eb =>
      eb.or([
        eb('organization_members.name', 'like', pattern),
        eb('organization_members.shown_name', 'like', pattern),
      ]),
    )
  }
  if (role === 'all') return query
  return query.where(eb => {
    const owns = eb.exists(
      eb
        .selectFrom('teams')
        .innerJoin('team_members', 'team_members.team_id', 'teams.id')
        .select('team_members.user_id')
        .where('teams.org_id', '=', orgId)
        .where('teams.is_owners', '=', true)
        .whereRef('team_members.user_id', '=', 'organization_members.user_id'),
    )
    return role === 'owner' ? owns : eb.not(owns)
  })
}

/**
 * Returns a page of the members that match the filter, with the total. Reads all members of the organization.
 */
export function selectPeople(
  db: Db,
  orgId: number,
  wanted: PeopleWanted,
  page: PageRequest,
): Promise<(Account & { total: number })[]> {
  let query = matching(db, orgId, wanted).select([...accountColumns, windowTotal])
  if (wanted.sort === 'full_name') query = query.orderBy('organization_members.shown_name')
  if (wanted.sort === 'newest') query = query.orderBy('organization_members.created_at', 'desc')
  if (wanted.sort === 'oldest') query = query.orderBy('organization_members.created_at')
  return query
    .orderBy('organization_members.name')
    .orderBy('users.id')
    .limit(page.limit)
    .offset(offsetOf(page))
    .execute()
}

export function countPeople(db: Db, orgId: number, wanted: PeopleWanted): Promise<number> {
  return countRows(matching(db, orgId, wanted))
}
