import { sql, type Transaction } from 'kysely'
import type { Db } from '@/db/client'
import { windowTotal } from '@/db/sql'
import type { Database } from '@/db/tables'
import type { Ended } from './removal'

/**
 * Locks all organizations that this person belongs to and returns their IDs. No one can join or leave these
 * organizations until the end of the transaction. To prevent deadlocks, organizations are always locked
 * before people and in the order of their IDs.
 */
export async function lockOrganizationsOf(trx: Transaction<Database>, userId: number): Promise<number[]> {
  const rows = await trx
    .selectFrom('organization_members')
    .innerJoin('users', 'users.id', 'organization_members.org_id')
    .select('users.id')
    .where('organization_members.user_id', '=', userId)
    .orderBy('users.id')
    .forNoKeyUpdate('users')
    .execute()
  return rows.map(row => row.id)
}

/** Returns whether this person is in an organization other than these. */
export async function isInAnother(
  trx: Transaction<Database>,
  userId: number,
  orgIds: readonly number[],
): Promise<boolean> {
  const row = await trx
    .selectFrom('organization_members')
    .select('org_id')
    .where('user_id', '=', userId)
    .where('org_id', '<>', sql<number>`all (${[...orgIds]}::bigint[])`)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Locks an account so that no new rows can refer to it. Returns the number of repositories it owns, or
 * undefined if it was deleted.
 */
export async function lockOwner(trx: Transaction<Database>, id: number): Promise<number | undefined> {
  const row = await trx
    .selectFrom('users')
    .select('repository_count')
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()
  return row?.repository_count
}

/** Returns the number of organizations whose only owner is this person, and the first names. */
export async function selectOrganizationsOfOneOwner(db: Db, userId: number, limit: number): Promise<Ended> {
  const rows = await db
    .selectFrom('team_members')
    .innerJoin('teams', 'teams.id', 'team_members.team_id')
    .innerJoin('users', 'users.id', 'team_members.org_id')
    .select(['users.name', windowTotal])
    .where('team_members.user_id', '=', userId)
    .where('teams.is_owners', '=', true)
    .where('teams.member_count', '=', 1)
    .orderBy(sql`lower(users.name)`)
    .limit(limit)
    .execute()
  return { total: rows[0]?.total ?? 0, names: rows.map(({ name }) => name) }
}

/** Returns the first names of the repositories that an account owns, sorted by name. */
export async function selectRepositoryNames(db: Db, ownerId: number, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('repositories')
    .select('name')
    .where('owner_id', '=', ownerId)
    .orderBy(sql`lower(name)`)
    .limit(limit)
    .execute()
  return rows.map(({ name }) => name)
}

export async function countOwnRepositories(db: Db, ownerId: number): Promise<number> {
  const owner = db.selectFrom('users').select('repository_count').where('id', '=', ownerId)
  return (await owner.executeTakeFirst())?.repository_count ?? 0
}

/** A person's team, with its organization. */
export interface HeldTeam {
  orgId: number
  owner: string
  teamId: number
  team: string
}

/** Returns a person's organizations and their teams in them. */
export async function selectMemberships(
  trx: Transaction<Database>,
  userId: number,
): Promise<{ organizations: { id: number; name: string }[]; teams: HeldTeam[] }> {
  const organizations = await trx
    .selectFrom('organization_members')
    .innerJoin('users', 'users.id', 'organization_members.org_id')
    .select(['users.id', 'users.name'])
    .where('organization_members.user_id', '=', userId)
    .execute()
  const teams = await trx
    .selectFrom('team_members')
    .innerJoin('teams', 'teams.id', 'team_members.team_id')
    .innerJoin('users', 'users.id', 'team_members.org_id')
    .select(['teams.org_id as orgId', 'users.name as owner', 'teams.id as teamId', 'teams.name as team'])
    .where('team_members.user_id', '=', userId)
    .execute()
  return { organizations, teams }
}

export async function deleteUser(trx: Transaction<Database>, id: number): Promise<void> {
  await trx.deleteFrom('users').where('id', '=', id).execute()
}
