import { defineJob } from '@/server/kernel/jobs'
import { deleteExpiredSessions } from './store'

/** Deletes every session whose time is over. They have let nobody in since, but fill the table. */
export const sweepSessionsJob = defineJob({
  name: 'sessions.sweep',
  every: '17 * * * *',
  run: async ({ db, clock }) => ({ deleted: await deleteExpiredSessions(db, clock.now()) }),
})
