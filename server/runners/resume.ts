import { withTransaction } from '@/db/transaction'
import { defineJob } from '@/server/kernel/jobs'
import { aboutRunner, recordRunnerEvent } from './record'
import { isPaused } from './state'
import { lockRunner, updateRunner } from './store'

const batchSize = 1000

/**
 * Records that pauses of runners have ended. The runners get jobs even before that, because an expired pause
 * has no effect.
 */
export const resumeRunnersJob = defineJob({
  name: 'runners.resume',
  async run(ctx, signal) {
    const due = await ctx.db
      .selectFrom('runners')
      .select('id')
      .where('resume_at', '<=', ctx.clock.now())
      .orderBy('resume_at')
      .limit(batchSize)
      .execute()
    let resumed = 0
    for (const { id } of due) {
      if (signal.aborted) break
      await withTransaction(ctx.db, async trx => {
        const runner = await lockRunner(trx, id)
        if (!runner?.resume_at || isPaused(runner, ctx.clock.now())) return
        const enabled = { disabled_at: null, disabled_by: null, disabled_note: '', resume_at: null }
        await updateRunner(trx, id, enabled)
        const { scopeOwnerId: ownerId } = runner
        await recordRunnerEvent(ctx, trx, runner, {
          kind: 'runner.enabled',
          ownerId,
          facts: aboutRunner(runner),
        })
        resumed++
      })
    }
    return { resumed }
  },
})
