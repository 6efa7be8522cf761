import type { Db } from '@/db/client'
import { type Account, accountColumns } from '@/server/kernel/auth/account'
import { offsetOf, type PageRequest } from '@/server/kernel/pagination'

export type MembersShown = 'all' | 'public'

/** A page of an organization's members by full name, then name. How many there are is counted with the organization. */
export function selectMembers(
  db: Db,
  orgId: number,
  shown: MembersShown,
  page: PageRequest,
): Promise<Account[]> {
  // The page is cut before the accounts are looked up, whatever the database thinks of the rows it will find.
  return db
    .selectFrom(eb =>
      eb
        .selectFrom('organization_members')
        .select(['user_id', 'shown_name', 'organization_members.name as order_name'])
        .where('org_id', '=', orgId)
        .$if(shown === 'public', query => query.where('is_public', '=', true))
        .orderBy('shown_name')
        .orderBy('organization_members.name')
        .orderBy('user_id')
        .limit(page.limit)
        .offset(offsetOf(page))
        .as('members'),
    )
    .innerJoin('users', 'users.id', 'members.user_id')
    .select(accountColumns)
    .orderBy('members.shown_name')
    .orderBy('members.order_name')
    .orderBy('members.user_id')
    .execute()
}
