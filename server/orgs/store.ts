import { type Insertable, type SelectQueryBuilder, sql, type Transaction, type Updateable } from 'kysely'
import type { Db } from '@/db/client'
import { countRows, likePattern, windowTotal } from '@/db/sql'
import type { Database } from '@/db/tables'
import type { UsersTable, Visibility } from '@/db/tables/users'
import { type Subject, visibleOrganizations } from '@/server/access'
import { type Account, accountColumns } from '@/server/kernel/account'
import { deleted } from '@/server/kernel/errors'
import { offsetOf, type PageRequest } from '@/server/kernel/pagination'
import type { BrowseOrgsInput } from './schema'

/** Returns a page of the organizations that are visible to the subject, sorted by name. */
export function selectOrgs(db: Db, subject: Subject, page: PageRequest): Promise<Account[]> {
  return db
    .selectFrom('users')
    .select(accountColumns)
    .where('users.kind', '=', 'organization')
    .where(visibleOrganizations(subject))
    .orderBy(sql`lower(users.name)`)
    .orderBy('users.id')
    .limit(page.limit)
    .offset(offsetOf(page))
    .execute()
}

export function countOrgs(db: Db, subject: Subject): Promise<number> {
  return countRows(
    db.selectFrom('users').where('users.kind', '=', 'organization').where(visibleOrganizations(subject)),
  )
}

export interface BrowsedRow {
  id: number
  name: string
  full_name: string
  visibility: Visibility
  member_count: number
  team_count: number
  repository_count: number
  created_at: Date
}

type OrgsWanted = Pick<BrowseOrgsInput, 'q' | 'visibility' | 'sort'>

function matching(db: Db, { q, visibility }: OrgsWanted): SelectQueryBuilder<Database, 'users', object> {
  let query = db.selectFrom('users').where('users.kind', '=', 'organization')
  if (visibility !== 'all') query = query.where('users.visibility', '=', visibility)
  if (q === '') return query
  return query.where('users.search_name', 'like', likePattern(q))
}

const browseOrders = {
  name: undefined,
  newest: 'users.id',
  members: 'users.member_count',
  repositories: 'users.repository_count',
} as const

/**
 * Returns a page of all organizations that match the filter, with the total. Reads all organizations of the
 * site.
 */
export function selectBrowsedOrgs(
  db: Db,
  wanted: OrgsWanted,
  page: PageRequest,
): Promise<(BrowsedRow & { total: number })[]> {
  let query = matching(db, wanted).select([
    'users.id',
    'users.name',
    'users.full_name',
    'users.visibility',
    'users.member_count',
    'users.team_count',
    'users.repository_count',
    'users.created_at',
    windowTotal,
  ])
  const by = browseOrders[wanted.sort]
  if (by) query = query.orderBy(by, 'desc')
  return query
    .orderBy(sql`lower(users.name)`)
    .orderBy('users.id')
    .limit(page.limit)
    .offset(offsetOf(page))
    .execute()
}

export const countBrowsedOrgs = (db: Db, wanted: OrgsWanted): Promise<number> =>
  countRows(matching(db, wanted))

export function insertOrg(trx: Transaction<Database>, org: Insertable<UsersTable>): Promise<Account> {
  return trx
    .insertInto('users')
    .values({ ...org, kind: 'organization' })
    .returning(accountColumns)
    .executeTakeFirstOrThrow()
}

type OrganizationProfile = Pick<
  Account,
  | 'full_name'
  | 'email'
  | 'description'
  | 'website'
  | 'location'
  | 'visibility'
  | 'repo_admin_change_team_access'
>

/**
 * Locks an organization's profile until the end of the transaction and returns it; undefined if the
 * organization was deleted.
 */
export function lockProfile(
  trx: Transaction<Database>,
  id: number,
): Promise<OrganizationProfile | undefined> {
  return (
    trx
      .selectFrom('users')
      .select([
        'full_name',
        'email',
        'description',
        'website',
        'location',
        'visibility',
        'repo_admin_change_team_access',
      ])
      .where('id', '=', id)
      .where('kind', '=', 'organization')
      // Not FOR UPDATE, so that inserting an event that refers to the organization does not wait for this
      // lock.
      .forNoKeyUpdate()
      .executeTakeFirst()
  )
}

/** Updates an organization and returns its new row; undefined if the organization was deleted. */
export function updateOrg(
  trx: Transaction<Database>,
  id: number,
  change: Updateable<UsersTable>,
): Promise<Account | undefined> {
  return trx
    .updateTable('users')
    .set(change)
    .where('id', '=', id)
    .where('kind', '=', 'organization')
    .returning(accountColumns)
    .executeTakeFirst()
}

export async function deleteOrg(trx: Transaction<Database>, id: number): Promise<void> {
  await trx.deleteFrom('users').where('id', '=', id).where('kind', '=', 'organization').execute()
}

export async function selectName(trx: Transaction<Database>, id: number): Promise<string | undefined> {
  const row = await trx.selectFrom('users').select('name').where('id', '=', id).executeTakeFirst()
  return row?.name
}

interface OrgCounts {
  team_count: number
  member_count: number
  public_member_count: number
  repository_count: number
  public_repository_count: number
}

const countColumns = [
  'team_count',
  'member_count',
  'public_member_count',
  'repository_count',
  'public_repository_count',
] as const

export function selectCounts(db: Db, id: number): Promise<OrgCounts | undefined> {
  return db.selectFrom('users').select(countColumns).where('id', '=', id).executeTakeFirst()
}

/**
 * Locks an organization that is about to be deleted, so that no new rows can refer to it. Returns its counts.
 */
export function lockForDeletion(trx: Transaction<Database>, id: number): Promise<OrgCounts | undefined> {
  return trx.selectFrom('users').select(countColumns).where('id', '=', id).forUpdate().executeTakeFirst()
}

/** Returns the usernames of the organization's first members, sorted by full name, then username. */
export async function selectFirstMembers(
  trx: Transaction<Database>,
  orgId: number,
  limit: number,
): Promise<string[]> {
  const rows = await trx
    .selectFrom('organization_members')
    .innerJoin('users', 'users.id', 'organization_members.user_id')
    .select('users.name')
    .where('organization_members.org_id', '=', orgId)
    .orderBy('organization_members.shown_name')
    .orderBy('organization_members.name')
    .orderBy('organization_members.user_id')
    .limit(limit)
    .execute()
  return rows.map(row => row.name)
}

/** Returns the names of the organization's first teams: the Owners team, then the others by name. */
export async function selectFirstTeams(
  trx: Transaction<Database>,
  orgId: number,
  limit: number,
): Promise<string[]> {
  const rows = await trx
    .selectFrom('teams')
    .select('name')
    .where('org_id', '=', orgId)
    .orderBy('is_owners', 'desc')
    .orderBy(sql`lower(name)`)
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(row => row.name)
}

/**
 * Locks an organization before its teams or members change. Every such change updates the organization's
 * counts, so transactions that lock in a different order would deadlock.
 * @throws {DomainError} notFound if the organization was deleted.
 */
export async function lockOrg(trx: Transaction<Database>, orgId: number): Promise<void> {
  const row = await trx
    .selectFrom('users')
    .select('id')
    .where('id', '=', orgId)
    // Not FOR UPDATE, so that inserting an event that refers to the organization does not wait for this lock.
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!row) throw deleted('organization')
}
