import { type Expression, type ExpressionBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '@/db/client'
import type { Database } from '@/db/tables'
import { type Account, accountColumns } from '@/server/kernel/auth/account'
import { offsetOf, type PageRequest } from '@/server/kernel/pagination'
import { isAmong, isFoundBy, walksWhole } from './shape'

type Condition = (eb: ExpressionBuilder<Database, 'users'>) => Expression<SqlBool>

/** A page of a team's members by full name, then name. How many there are is counted with the team. */
export async function selectMembers(
  db: Db,
  team: { id: number; member_count: number },
  page: PageRequest,
): Promise<Account[]> {
  const proportion = { part: team.member_count, whole: await largestAccountId(db) }
  const condition = walksWhole(proportion, page) ? isLookedUp(team.id) : isMember(team.id)
  return await pageWhere(db, condition, page).select(accountColumns).execute()
}

/** The same without those who do not show that they are in the organization; it counts what it reads. */
export function selectPublicMembers(
  db: Db,
  teamId: number,
  page: PageRequest,
): Promise<(Account & { total: number })[]> {
  return pageWhere(db, isPublicMember(teamId), page)
    .select([...accountColumns, sql<number>`count(*) over ()`.as('total')])
    .execute()
}

export async function countPublicMembers(db: Db, teamId: number): Promise<number> {
  const row = await db
    .selectFrom('users')
    .select(eb => eb.fn.countAll<number>().as('count'))
    .where(isPublicMember(teamId))
    .executeTakeFirstOrThrow()
  return row.count
}

function pageWhere(db: Db, condition: Condition, page: PageRequest) {
  return db
    .selectFrom('users')
    .where(condition)
    .orderBy(sql`lower(users.full_name)`)
    .orderBy(sql`lower(users.name)`)
    .orderBy('users.id')
    .limit(page.limit)
    .offset(offsetOf(page))
}

// All accounts in the order of the list, each looked up in the team.
function isLookedUp(teamId: number): Condition {
  return eb =>
    isFoundBy(
      eb
        .selectFrom('team_members')
        .select('team_members.user_id')
        .where('team_members.team_id', '=', teamId)
        .whereRef('team_members.user_id', '=', 'users.id'),
    )
}

function isMember(teamId: number): Condition {
  return eb =>
    isAmong('users.id', eb.selectFrom('team_members').select('user_id').where('team_id', '=', teamId))
}

function isPublicMember(teamId: number): Condition {
  return eb =>
    isAmong(
      'users.id',
      eb
        .selectFrom('team_members')
        .innerJoin('organization_members', join =>
          join
            .onRef('organization_members.org_id', '=', 'team_members.org_id')
            .onRef('organization_members.user_id', '=', 'team_members.user_id'),
        )
        .select('team_members.user_id')
        .where('team_members.team_id', '=', teamId)
        .where('organization_members.is_public', '=', true),
    )
}

// Stands for how many accounts there are, which would have to be counted.
async function largestAccountId(db: Db): Promise<number> {
  const row = await db.selectFrom('users').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst()
  return row?.id ?? 0
}
