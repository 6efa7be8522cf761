import { type SelectQueryBuilder, sql } from 'kysely'
import type { Db } from '@/db/client'
import { fixedQuery } from '@/db/fixed-query'
import { prepared } from '@/db/prepared'
import { countRows, windowTotal } from '@/db/sql'
import type { Database } from '@/db/tables'
import { hasMember, type Subject, visibleOrganizations } from '@/server/access'
import type { AccessMode } from '@/server/access/access-mode'
import { type Account, accountColumns } from '@/server/kernel/account'
import { offsetOf, type PageRequest } from '@/server/kernel/pagination'

export interface MembershipFilter {
  /** The viewer; organizations hidden from them are left out. */
  subject: Subject
  /**
   * Memberships to include: all, only public ones, or public ones plus those in organizations of the person
   * `sharedWith`.
   */
  memberships: 'all' | 'public' | { sharedWith: number }
}

/** Returns a page of a person's organizations that match the filter, sorted by name, with the total. */
export function selectOrgsOf(
  db: Db,
  userId: number,
  filter: MembershipFilter,
  page: PageRequest,
): Promise<(Account & { total: number })[]> {
  return orgsOf(db, userId, filter)
    .select([...accountColumns, windowTotal])
    .orderBy(sql`lower(users.name)`)
    .orderBy('users.id')
    .limit(page.limit)
    .offset(offsetOf(page))
    .execute()
}

export function countOrgsOf(db: Db, userId: number, filter: MembershipFilter): Promise<number> {
  return countRows(orgsOf(db, userId, filter))
}

function orgsOf(
  db: Db,
  userId: number,
  { subject, memberships }: MembershipFilter,
): SelectQueryBuilder<Database, 'organization_members' | 'users', object> {
  const query = db
    .selectFrom('organization_members')
    .innerJoin('users', 'users.id', 'organization_members.org_id')
    .where('organization_members.user_id', '=', userId)
    .where(visibleOrganizations(subject))
  if (memberships === 'all') return query
  if (memberships === 'public') return query.where('organization_members.is_public', '=', true)
  const { sharedWith } = memberships
  return query.where(sql<boolean>`(organization_members.is_public or ${hasMember(sharedWith)})`)
}

export type MembershipRow = Account & { is_public: boolean; is_owner: boolean; may_create: boolean }

/**
 * Returns all organizations that a person is in, or only `orgId` if they are in it, sorted by name, with the
 * person's role in each.
 */
export function selectMemberships(db: Db, userId: number, orgId?: number): Promise<MembershipRow[]> {
  return orgId === undefined ? allMemberships(db, { userId }) : membershipsIn(db, { userId, orgId })
}

const allMemberships = fixedQuery((db, { userId }: { userId: number }) => membershipsOf(db, userId))

const membershipsIn = fixedQuery((db, { userId, orgId }: { userId: number; orgId: number }) =>
  membershipsOf(db, userId).where('organization_members.org_id', '=', orgId),
)

const membershipsOf = (db: Db, userId: number) =>
  db
    .selectFrom('organization_members')
    .modifyFront(prepared)
    .innerJoin('users', 'users.id', 'organization_members.org_id')
    .leftJoin('team_members', join =>
      join
        .onRef('team_members.org_id', '=', 'organization_members.org_id')
        .onRef('team_members.user_id', '=', 'organization_members.user_id'),
    )
    .leftJoin('teams', 'teams.id', 'team_members.team_id')
    .select([
      ...accountColumns,
      'organization_members.is_public',
      sql<boolean>`coalesce(bool_or(teams.is_owners), false)`.as('is_owner'),
      sql<boolean>`coalesce(bool_or(teams.can_create_org_repo), false)`.as('may_create'),
    ])
    .where('organization_members.user_id', '=', userId)
    .groupBy(['users.id', 'organization_members.is_public'])
    .orderBy(sql`lower(users.name)`)
    .orderBy('users.id')

/**
 * Returns the distinct access modes, for teams and for units, that a person's teams in an organization grant.
 */
export async function selectModes(db: Db, orgId: number, userId: number): Promise<AccessMode[]> {
  const rows = await db
    .selectFrom('team_members')
    .innerJoin('teams', 'teams.id', 'team_members.team_id')
    .leftJoin('team_units', 'team_units.team_id', 'teams.id')
    .select(['teams.mode', 'team_units.mode as unit_mode'])
    .distinct()
    .where('team_members.user_id', '=', userId)
    .where('team_members.org_id', '=', orgId)
    .execute()
  return rows.flatMap(row => [row.mode, row.unit_mode ?? 'none'])
}
