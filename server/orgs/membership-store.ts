import { type SelectQueryBuilder, sql } from 'kysely'
import type { Db } from '@/db/client'
import { countRows, windowTotal } from '@/db/sql'
import type { Database } from '@/db/tables'
import { hasMember, type Subject, visibleOrganizations } from '@/server/access'
import type { AccessMode } from '@/server/access/access-mode'
import { type Account, accountColumns } from '@/server/kernel/account'
import { offsetOf, type PageRequest } from '@/server/kernel/pagination'

export interface MembershipFilter {
  /** Organizations hidden from this subject are left out. */
  subject: Subject
  /** Of the memberships: all, those made public, or those and what this person is in as well. */
  memberships: 'all' | 'public' | { sharedWith: number }
}

/** A page of the organizations one person is in, by name. */
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

/** All organizations one person is in, or the given one if they are in it, by name, with their part in each. */
export function selectMemberships(db: Db, userId: number, orgId?: number): Promise<MembershipRow[]> {
  return db
    .selectFrom('organization_members')
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
    .$if(orgId !== undefined, query => query.where('organization_members.org_id', '=', orgId as number))
    .groupBy(['users.id', 'organization_members.is_public'])
    .orderBy(sql`lower(users.name)`)
    .orderBy('users.id')
    .execute()
}

/** Every mode that one person's teams in an organization give, on the whole or on a unit. */
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
