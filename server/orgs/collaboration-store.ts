import type { Transaction } from 'kysely'
import { anyOf } from '@/db/sql'
import type { Database } from '@/db/tables'

/**
 * Takes back what people were given singly on an organization's repositories, such as those they made there: whoever
 * leaves keeps nothing of it. Gives the names of the repositories, one for each right that ended.
 */
export async function deleteCollaborations(
  trx: Transaction<Database>,
  orgId: number,
  userIds: readonly number[],
): Promise<string[]> {
  if (userIds.length === 0) return []
  const rows = await trx
    .deleteFrom('repository_collaborators')
    .using('repositories')
    .whereRef('repositories.id', '=', 'repository_collaborators.repository_id')
    .where('repositories.owner_id', '=', orgId)
    .where('repository_collaborators.user_id', '=', anyOf(userIds))
    .returning('repositories.name')
    .execute()
  return rows.map(row => row.name)
}
