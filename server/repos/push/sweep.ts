import type { Db } from '@/db/client'
import { affectedRows } from '@/db/sql'
import { defineJob } from '@/server/kernel/jobs'

// Longer than a recovery tries to record a push.
const retentionMs = 7 * 24 * 60 * 60 * 1000

/** Forgets which pushes were recorded, a week after, when nobody tries to record one again. */
export const sweepPushesJob = defineJob({
  name: 'pushes.sweep',
  run: async ({ db, clock }) => {
    const before = new Date(clock.now().getTime() - retentionMs)
    return { deleted: await deletePushesRecordedBefore(db, before) }
  },
})

async function deletePushesRecordedBefore(db: Db, time: Date): Promise<number> {
  const result = await db.deleteFrom('recorded_pushes').where('created_at', '<', time).executeTakeFirst()
  return affectedRows(result)
}
