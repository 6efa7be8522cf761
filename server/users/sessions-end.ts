import type { Transaction } from 'kysely'
import type { Database } from '@/db/tables'

/** Signs the person out everywhere, or everywhere but one session. */
export async function endSessions(
  trx: Transaction<Database>,
  userId: number,
  exceptSessionId?: number,
): Promise<void> {
  let query = trx.deleteFrom('sessions').where('user_id', '=', userId)
  if (exceptSessionId !== undefined) query = query.where('id', '<>', exceptSessionId)
  await query.execute()
}
