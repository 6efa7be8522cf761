import type { Db } from '@/db/client'
import { affectedRows } from '@/db/sql'
import { dayMs } from '@/server/kernel/clock'
import { defineJob } from '@/server/kernel/jobs'

/** Number of days that an expired token remains in its owner's list, which shows why a program is refused. */
const shownDays = 90

/** Deletes every token that expired long ago. */
export const sweepTokensJob = defineJob({
  name: 'tokens.sweep',
  run: async ({ db, clock }) => {
    const before = new Date(clock.now().getTime() - shownDays * dayMs)
    return { deleted: await deleteTokensExpiredBefore(db, before) }
  },
})

async function deleteTokensExpiredBefore(db: Db, time: Date): Promise<number> {
  const result = await db.deleteFrom('access_tokens').where('expires_at', '<', time).executeTakeFirst()
  return affectedRows(result)
}
