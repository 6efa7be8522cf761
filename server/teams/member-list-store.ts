import type { SelectQueryBuilder } from 'kysely'
import type { Db } from '@/db/client'
import { countRows, windowTotal } from '@/db/sql'
import type { Database } from '@/db/tables'
import { type Account, accountColumns } from '@/server/kernel/auth/account'
import { offsetOf, type PageRequest } from '@/server/kernel/pagination'

/**
 * A page of the ids of a team's members by full name, then name: the index holds that order, so a page of a large team
 * costs no more than one of a small team. How many there are is counted with the team.
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

/** The same without those who do not show that they are in the organization; it counts what it reads. */
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
