import { defineJob } from '@/server/kernel/jobs'
import { deleteTokensExpiredBefore } from './store'

/** For so long its owner sees in the list why a program was let in no more. */
const shownDays = 90

/** Deletes every token that stopped working long ago. */
export const sweepTokensJob = defineJob({
  name: 'tokens.sweep',
  every: '19 * * * *',
  run: async ({ db, clock }) => {
    const before = new Date(clock.now().getTime() - shownDays * 24 * 60 * 60 * 1000)
    return { deleted: await deleteTokensExpiredBefore(db, before) }
  },
})
