import { withTransaction } from '@/db/transaction'
import { endTasksOfRunner } from '@/server/actions'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { gone } from '@/server/kernel/errors'
import { defineJob } from '@/server/kernel/jobs'
import type { RunnerFor } from './load'
import { aboutRunner, recordRunnerEvent } from './record'
import { lockRunner, updateRunner } from './store'

/**
 * Deletes a runner: its next call is refused, and the jobs that it was doing have failed.
 * @throws {DomainError} notFound if it is deleted concurrently.
 */
export async function removeRunner(ctx: ServiceCtx, { runner: { id } }: RunnerFor): Promise<void> {
  if (!(await retire(ctx, id))) throw gone('runner')
  await deleteRetired(ctx, id)
}

// Retired first, so that it gets no more jobs while those that it has are ended, one run after another.
async function retire(ctx: ServiceCtx, id: number): Promise<boolean> {
  return await withTransaction(ctx.db, async trx => {
    const runner = await lockRunner(trx, id)
    if (!runner) return false
    await updateRunner(trx, id, { retired_at: ctx.clock.now() })
    const { placeOwnerId: ownerId } = runner
    await recordRunnerEvent(ctx, trx, runner, {
      kind: 'runner.deleted',
      ownerId,
      facts: aboutRunner(runner),
    })
    return true
  })
}

async function deleteRetired(ctx: ServiceCtx, id: number): Promise<void> {
  await endTasksOfRunner(ctx, id)
  await ctx.db.deleteFrom('runners').where('id', '=', id).execute()
}

/** How long an ephemeral runner may repeat the last reports of its job. */
const retiredMs = 60 * 60 * 1000
const lostMs = 24 * 60 * 60 * 1000
const atOnce = 1000

/** Deletes ephemeral runners an hour after their job has ended, and those that were not heard of for a day. */
export const sweepRunnersJob = defineJob({
  name: 'runners.sweep',
  async run(ctx, signal) {
    const now = ctx.clock.now().getTime()
    const retired = await ctx.db
      .selectFrom('runners')
      .select('id')
      .where('retired_at', '<', new Date(now - retiredMs))
      .limit(atOnce)
      .execute()
    const lost = await ctx.db
      .selectFrom('runners')
      .select('id')
      .where('is_ephemeral', '=', true)
      .where('retired_at', 'is', null)
      .where(eb => eb(eb.fn.coalesce('last_online_at', 'created_at'), '<', new Date(now - lostMs)))
      .limit(atOnce)
      .execute()
    let deleted = 0
    for (const { id } of lost) {
      if (signal.aborted) break
      if (await retire(ctx, id)) deleted++
      await deleteRetired(ctx, id)
    }
    for (const { id } of retired) {
      if (signal.aborted) break
      await deleteRetired(ctx, id)
      deleted++
    }
    return { deleted }
  },
})
