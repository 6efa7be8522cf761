import type { Transaction } from 'kysely'
import type { Database } from '@/db/tables'
import { gone } from '@/server/kernel/errors'

/**
 * Locks an organization while who belongs to it changes. Whoever adds, removes or shows members does so first, before
 * touching teams or members: each of these changes its counts too, and requests that met it in another order would
 * wait for each other. Throws notFound when it is gone.
 */
export async function lockOrg(trx: Transaction<Database>, orgId: number): Promise<void> {
  const row = await trx
    .selectFrom('users')
    .select('id')
    .where('id', '=', orgId)
    // Not "for update": an event about the organization refers to it, and must not wait for this lock.
    .forNoKeyUpdate()
    .executeTakeFirst()
  if (!row) throw gone('organization')
}
