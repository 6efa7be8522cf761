import {
  type Insertable,
  type RawBuilder,
  type ReferenceExpression,
  type SelectQueryBuilder,
  type SqlBool,
  sql,
  type Transaction,
  type Updateable,
} from 'kysely'
import type { Db } from '@/db/client'
import { anyOf, countRows, likePattern, windowTotal } from '@/db/sql'
import type { Database } from '@/db/tables'
import type { LoginType, UsersTable, Visibility } from '@/db/tables/users'
import { type Account, accountColumns } from '@/server/kernel/auth/account'
import { offsetOf, type PageRequest } from '@/server/kernel/pagination'

export type CountedAccount = Account & { total: number }

export interface UserFilter {
  /** Part of a name or full name, in any case; of an address too for who may see them all. */
  text?: string | undefined
  id?: number | undefined
  visibility?: Visibility | undefined
  /** At the login source, all of it. */
  loginName?: string | undefined
  sourceId?: number | undefined
  isActive?: boolean | undefined
  isAdmin?: boolean | undefined
  isRestricted?: boolean | undefined
  isProhibited?: boolean | undefined
  /** Finds somebody by their whole address too, where they show it to whoever is signed in. */
  byAddress?: boolean | undefined
  /** Leaves out whom the viewer may not see; undefined for whoever sees everybody. */
  visible?: RawBuilder<SqlBool> | undefined
}

export interface UserSort {
  by: 'id' | 'name' | 'update' | 'lastLogin'
  direction: 'asc' | 'desc'
}

type UserQuery<O> = SelectQueryBuilder<Database, 'users', O>

function matching<O>(query: UserQuery<O>, filter: UserFilter): UserQuery<O> {
  let narrowed = query.where('users.kind', '=', 'person')
  for (const [column, value] of exactly(filter)) {
    if (value !== undefined) narrowed = narrowed.where(column, '=', value)
  }
  if (filter.text) {
    // A search reads the whole table: a few milliseconds at thousands of accounts.
    const pattern = likePattern(filter.text)
    narrowed = narrowed.where(eb =>
      eb.or([
        eb(sql`lower(users.name)`, 'like', pattern),
        eb(sql`lower(users.full_name)`, 'like', pattern),
        // Others could otherwise guess a hidden address letter by letter.
        ...(filter.visible ? [] : [eb(sql`lower(users.email)`, 'like', pattern)]),
        ...(filter.byAddress
          ? [
              eb.and([
                eb('users.hide_email', '=', false),
                eb(sql`lower(users.email)`, '=', sql`lower(${filter.text})`),
              ]),
            ]
          : []),
      ]),
    )
  }
  return filter.visible ? narrowed.where(filter.visible) : narrowed
}

const exactly = (
  filter: UserFilter,
): [ReferenceExpression<Database, 'users'>, string | number | boolean | undefined][] => [
  ['users.id', filter.id],
  ['users.visibility', filter.visibility],
  ['users.login_name', filter.loginName],
  ['users.login_source_id', filter.sourceId],
  ['users.is_active', filter.isActive],
  ['users.is_admin', filter.isAdmin],
  ['users.is_restricted', filter.isRestricted],
  ['users.prohibit_login', filter.isProhibited],
]

const sortColumns = {
  name: sql`lower(users.name)`,
  update: sql`users.updated_at`,
  // Without an index, which every sign-in would have to write. Whoever never signed in did so before everybody else.
  lastLogin: sql`coalesce(users.last_login_at, '-infinity')`,
} as const

export function selectUsers(
  db: Db,
  filter: UserFilter,
  { by, direction }: UserSort,
  page: PageRequest,
): Promise<CountedAccount[]> {
  let query = matching(db.selectFrom('users'), filter).select([...accountColumns, windowTotal])
  if (by !== 'id') query = query.orderBy(sortColumns[by], direction)
  return query.orderBy('users.id', direction).limit(page.limit).offset(offsetOf(page)).execute()
}

export function countUsers(db: Db, filter: UserFilter): Promise<number> {
  return countRows(matching(db.selectFrom('users'), filter))
}

export async function anyUserExists(db: Db): Promise<boolean> {
  return (await db.selectFrom('users').select('id').limit(1).executeTakeFirst()) !== undefined
}

export function insertUser(trx: Transaction<Database>, user: Insertable<UsersTable>): Promise<Account> {
  return trx.insertInto('users').values(user).returning(accountColumns).executeTakeFirstOrThrow()
}

/** Undefined when the account is not there any more. */
export function updateUser(
  trx: Transaction<Database>,
  id: number,
  change: Updateable<UsersTable>,
): Promise<Account | undefined> {
  return trx
    .updateTable('users')
    .set(change)
    .where('id', '=', id)
    .returning(accountColumns)
    .executeTakeFirst()
}

/** An account as it is now, held until the transaction ends; undefined when it is gone. */
export function lockUser(trx: Transaction<Database>, id: number): Promise<Account | undefined> {
  return (
    trx
      .selectFrom('users')
      .select(accountColumns)
      .where('id', '=', id)
      // Not "for update": an event about the account refers to it, and must not wait for this lock.
      .forNoKeyUpdate()
      .executeTakeFirst()
  )
}

export async function deleteUser(trx: Transaction<Database>, id: number): Promise<void> {
  await trx.deleteFrom('users').where('id', '=', id).execute()
}

/**
 * Locks this account and the row of every administrator who can sign in, so that two requests cannot each remove "the
 * other" last one; gives the ids of the administrators. Accounts of a directory do not count: only a password kept here
 * opens the site.
 */
export async function lockAdmins(trx: Transaction<Database>, userId: number): Promise<number[]> {
  const admins = trx
    .selectFrom('users')
    .select('id')
    .where('is_admin', '=', true)
    .where('is_active', '=', true)
    .where('prohibit_login', '=', false)
    .where('login_type', '=', 'local')
    .orderBy('id')
    // Not "for update": an event being written refers to the administrator who acts, and must not wait for this lock.
    .forNoKeyUpdate()
  // In the order of their ids, as people are locked everywhere, and this account at once as strongly as its end needs.
  const before = await admins.where('id', '<', userId).execute()
  await trx.selectFrom('users').select('id').where('id', '=', userId).forUpdate().execute()
  const after = await admins.where('id', '>=', userId).execute()
  return [...before, ...after].map(row => row.id)
}

export async function selectSourceType(db: Db, id: number): Promise<LoginType | undefined> {
  const row = await db.selectFrom('login_sources').select('type').where('id', '=', id).executeTakeFirst()
  return row?.type
}

/**
 * Locks every organization this person belongs to and gives their ids: nobody joins or leaves one meanwhile.
 * Organizations are locked before people, and in the order of their ids, so that two requests never wait for each other.
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

/** Is this person in an organization besides these? */
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
 * Locks an account so that nothing new can refer to it, and tells how many repositories it owns; undefined when it is
 * gone.
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

/** The name of an organization that has no other owner than this person, the first by name. */
export async function findOrganizationOfOneOwner(
  trx: Transaction<Database>,
  userId: number,
): Promise<string | undefined> {
  const row = await trx
    .selectFrom('team_members')
    .innerJoin('teams', 'teams.id', 'team_members.team_id')
    .innerJoin('users', 'users.id', 'team_members.org_id')
    .select('users.name')
    .where('team_members.user_id', '=', userId)
    .where('teams.is_owners', '=', true)
    .where('teams.member_count', '=', 1)
    .orderBy(sql`lower(users.name)`)
    .limit(1)
    .executeTakeFirst()
  return row?.name
}

/**
 * What goes with an account besides what is its own: the names of its organizations, and of teams and repositories with
 * their owner's.
 */
export async function selectBelongings(
  trx: Transaction<Database>,
  userId: number,
): Promise<{ organizations: string[]; teams: string[]; repositories: string[] }> {
  const organizations = await trx
    .selectFrom('organization_members')
    .innerJoin('users', 'users.id', 'organization_members.org_id')
    .select('users.name')
    .where('organization_members.user_id', '=', userId)
    .execute()
  const teams = await trx
    .selectFrom('team_members')
    .innerJoin('teams', 'teams.id', 'team_members.team_id')
    .innerJoin('users', 'users.id', 'team_members.org_id')
    .select(['users.name as owner', 'teams.name'])
    .where('team_members.user_id', '=', userId)
    .execute()
  const repositories = await trx
    .selectFrom('repository_collaborators')
    .innerJoin('repositories', 'repositories.id', 'repository_collaborators.repository_id')
    .innerJoin('users', 'users.id', 'repositories.owner_id')
    .select(['users.name as owner', 'repositories.name'])
    .where('repository_collaborators.user_id', '=', userId)
    .execute()
  const path = ({ owner, name }: { owner: string; name: string }) => `${owner}/${name}`
  return {
    organizations: organizations.map(row => row.name),
    teams: teams.map(path),
    repositories: repositories.map(path),
  }
}

/** These accounts by id; those that are gone are absent. */
export async function selectAccounts(db: Db, ids: readonly number[]): Promise<Map<number, Account>> {
  if (ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('users')
    .select(accountColumns)
    .where('users.id', '=', anyOf([...new Set(ids)]))
    .execute()
  return new Map(rows.map(row => [row.id, row]))
}
