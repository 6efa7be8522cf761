import { failTask, findJob, findOpenTask, isTooMuch, type JobRow, type TaskRow } from '@/server/actions'
import type { RunnerCtx } from '@/server/kernel/ctx'
import { isDomainError } from '@/server/kernel/errors'
import { claimJob } from './claim'
import { type AssignedTask, prepareContent, type TaskContent, UnsendableJobError } from './content'
import { mayTakeAny } from './give-jobs'
import { type AskingRunner, findAskingRunner } from './store'
import { type Waiter, waitersOf } from './waiters'

/** Maximum time in milliseconds for which a request is held while there is no task. */
export const maxHoldMs = 3_000

export interface FetchOptions {
  /** How long to hold the request, in milliseconds; limited to `maxHoldMs`. */
  holdMs?: number
  /** Aborted once no one waits for the response. */
  signal?: AbortSignal | undefined
}

/**
 * Returns a task for a runner: one that it was assigned before and never reported about, or else the
 * longest-waiting job that it can take. If there is none, the request is held for a few seconds without a
 * database connection, and returns as soon as there is one. A paused runner gets no task; this is decided in
 * the transaction that would assign it. Of several concurrent requests of one runner, all but the first
 * return undefined immediately.
 */
export async function fetchTask(
  ctx: RunnerCtx,
  { holdMs = maxHoldMs, signal }: FetchOptions = {},
): Promise<AssignedTask | undefined> {
  const until = performance.now() + Math.min(holdMs, maxHoldMs)
  const waiter = waitersOf(ctx.db).join(ctx.caller.runnerId)
  if (!waiter) return undefined
  try {
    for (;;) {
      const found = await take(ctx, waiter, signal)
      const left = until - performance.now()
      if (found || left <= 0 || signal?.aborted || !(await waiter.woken(left, signal))) return found
    }
  } finally {
    waiter.leave()
  }
}

async function take(
  ctx: RunnerCtx,
  waiter: Waiter,
  signal: AbortSignal | undefined,
): Promise<AssignedTask | undefined> {
  const searched = waiter.searches()
  const runner = await findAskingRunner(ctx.db, ctx.caller.runnerId)
  const again = runner && (await deliverAgain(ctx, runner))
  if (again) return again
  const able = runner && mayTakeAny(runner, ctx.clock.now()) ? runner : undefined
  waiter.reaches(able)
  const claimed = able && (await claimJob(ctx, able, signal))
  searched(able !== undefined && !signal?.aborted)
  return claimed ? await respond(ctx, claimed.content, claimed.task, claimed.job, claimed.runner) : undefined
}

// The response with the task may have been lost.
async function deliverAgain(ctx: RunnerCtx, runner: AskingRunner): Promise<AssignedTask | undefined> {
  const task =
    runner.unacknowledged_id === null ? undefined : await findOpenTask(ctx.db, runner.unacknowledged_id)
  const job = task && (await findJob(ctx.db, task.repository_id, task.job_id))
  const content = job && (await prepareContent(ctx, task.run_id))
  return content && (await respond(ctx, content, task, job, runner))
}

// A job that cannot be sent, whoever asks for it, fails. Otherwise, it would be sent again in vain and keep its
// runner from all other jobs.
async function respond(
  ctx: RunnerCtx,
  content: TaskContent,
  task: TaskRow,
  job: JobRow,
  runner: Parameters<TaskContent['of']>[2],
): Promise<AssignedTask | undefined> {
  try {
    return await content.of(task, job, runner)
  } catch (error) {
    const why = obstacleOf(error)
    if (!why) throw error
    await failTask(ctx, content.repository, task, why)
    return undefined
  }
}

function obstacleOf(error: unknown): Parameters<typeof failTask>[3] | undefined {
  if (error instanceof UnsendableJobError) return { reason: error.reason, message: error.message }
  const isLasting = isDomainError(error) && error.kind === 'unprocessable' && !isTooMuch(error)
  return isLasting ? { reason: 'evaluation', message: error.message } : undefined
}
