import type { Db } from '@/db/client'
import { offsetOf, type PageRequest } from '@/server/kernel/pagination'

export type MembersShown = 'all' | 'public'

/**
 * A page of the ids of an organization's members by full name, then name: an index holds that order, of all and of the
 * public ones, so a page of many costs no more than one of few. How many there are is counted with the organization.
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
