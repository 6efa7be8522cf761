import type { Db } from '@/db/client'
import { affectedRows } from '@/db/sql'
import { defineJob } from '@/server/kernel/jobs'

/** Scheduled job that deletes all expired sessions. They grant no access but fill the table. */
export const sweepSessionsJob = defineJob({
  name: 'sessions.sweep',
  run: async ({ db, clock }) => ({ deleted: await deleteExpiredSessions(db, clock.now()) }),
})

async function deleteExpiredSessions(db: Db, now: Date): Promise<number> {
  const result = await db.deleteFrom('sessions').where('expires_at', '<=', now).executeTakeFirst()
  return affectedRows(result)
}
