import type { Db } from '@/db/client'
import { affectedRows } from '@/db/sql'
import { defineJob } from '@/server/kernel/jobs'

// Longer than recovery keeps trying to record a push.
const retentionMs = 7 * 24 * 60 * 60 * 1000

/**
 * Deletes the database rows that prevent a push from being recorded twice, after a week. By then, no process
 * tries to record these pushes again.
 */
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
