import { randomBytes } from 'node:crypto'
import { sql } from 'kysely'
import type { Db } from '@/db/client'
import { withTransaction } from '@/db/transaction'
import { isUnavailable } from '@/db/unavailable'
import { endTasksOfRunner } from '@/server/actions'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { deleted } from '@/server/kernel/errors'
import { defineJob } from '@/server/kernel/jobs'
import type { RunnerFor } from './load'
import { aboutRunner, actorsOf, recordRunnerEvent } from './record'
import { lockOwnersOf, lockRunner, type RunnerRow, updateRunner } from './store'

/**
 * Deletes a runner. Its next call is refused, jobs that it was running fail, and jobs that it had not started
 * return to the queue.
 * @throws {DomainError} notFound if it is deleted concurrently.
 */
export async function removeRunner(ctx: ServiceCtx, { runner }: RunnerFor): Promise<void> {
  if (!(await retire(ctx, runner.id))) throw deleted('runner')
  await deleteRetired(ctx, runner)
}

// The runner is retired first, so that it gets no more jobs while its tasks are ended one by one. Replacing
// its secret keeps it from reporting about them.
async function retire(ctx: ServiceCtx, id: number): Promise<boolean> {
  return await withTransaction(ctx.db, async trx => {
    const runner = await lockRunner(trx, id, actorsOf(ctx))
    if (!runner) return false
    await updateRunner(trx, id, { retired_at: ctx.clock.now(), secret_hash: randomBytes(32) })
    const { scopeOwnerId: ownerId } = runner
    await recordRunnerEvent(ctx, trx, runner, {
      kind: 'runner.deleted',
      ownerId,
      facts: aboutRunner(runner),
    })
    return true
  })
}

type Retired = Pick<RunnerRow, 'id' | 'owner_id' | 'repository_id'>

async function deleteRetired(ctx: ServiceCtx, runner: Retired): Promise<void> {
  await endTasksOfRunner(ctx, runner.id)
  while ((await detachTasks(ctx.db, runner.id)) === batchSize);
  await withTransaction(ctx.db, async trx => {
    await lockOwnersOf(trx, runner)
    await trx.deleteFrom('runners').where('id', '=', runner.id).execute()
  })
}

// Detached in batches, because a runner may have had very many tasks. Tasks that are being deleted need not
// be detached.
async function detachTasks(db: Db, runnerId: number): Promise<number> {
  const { numUpdatedRows } = await db
    .updateTable('workflow_tasks')
    .set({ runner_id: null })
    .where('id', 'in', eb =>
      eb
        .selectFrom('workflow_tasks')
        .select('id')
        .where('runner_id', '=', runnerId)
        .orderBy('id', 'desc')
        .limit(batchSize)
        .forUpdate()
        .skipLocked(),
    )
    .executeTakeFirst()
  return Number(numUpdatedRows)
}

/** How long an ephemeral runner can repeat the last reports of its job, in milliseconds. */
const retiredMs = 60 * 60 * 1000
const lostMs = 24 * 60 * 60 * 1000
const batchSize = 1000

/**
 * Deletes ephemeral runners that have not called for a day, and runners that were retired more than an hour
 * ago: ephemeral ones whose job has ended, and those whose deletion was interrupted.
 */
export const sweepRunnersJob = defineJob({
  name: 'runners.sweep',
  async run(ctx, signal) {
    const now = ctx.clock.now().getTime()
    const lastHeard = sql<Date>`coalesce(last_online_at, created_at)`
    const lost = await ctx.db
      .selectFrom('runners')
      .select(['id', 'owner_id', 'repository_id'])
      .where('is_ephemeral', '=', true)
      .where('retired_at', 'is', null)
      .where(lastHeard, '<', new Date(now - lostMs))
      .orderBy(lastHeard)
      .limit(batchSize)
      .execute()
    const retired = await ctx.db
      .selectFrom('runners')
      .select(['id', 'owner_id', 'repository_id'])
      .where('retired_at', '<', new Date(now - retiredMs))
      .orderBy('retired_at')
      .limit(batchSize)
      .execute()
    let deleted = 0
    for (const runner of [...lost, ...retired]) {
      if (signal.aborted) break
      try {
        if (lost.includes(runner)) await retire(ctx, runner.id)
        await deleteRetired(ctx, runner)
        deleted++
      } catch (error) {
        if (isUnavailable(error)) throw error
        ctx.log.error({ err: error, runner: runner.id }, 'a runner cannot be deleted')
      }
    }
    return { deleted }
  },
})
