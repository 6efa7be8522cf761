import { assignJob, findJob, findOpenTask, type JobRow, type TaskRow } from '@/server/actions'
import type { RunnerCtx } from '@/server/kernel/ctx'
import { isPaused } from '../state'
import type { RunnerRow } from '../store'
import { type AssignedTask, prepareContent, type TaskContent } from './content'
import {
  type AskingRunner,
  type Candidate,
  findAskingRunner,
  lockAskingRunner,
  selectCandidates,
} from './store'
import { type Waiter, waitersOf } from './waiters'

/** How long a request for a task is held where there is none. */
export const maxHoldMs = 3_000

export interface FetchOptions {
  /** At most so long, and never longer than `maxHoldMs`. */
  holdMs?: number
  /** Aborted when nobody waits for the answer anymore. */
  signal?: AbortSignal | undefined
}

/**
 * Gives a runner a task: one that it was given before and never reported anything about, or the job that waits longest of
 * those that it can take. Where there is none, the request is held for some seconds, without a database connection, and
 * answered as soon as there is one. A paused runner gets none, as of the transaction that would assign it.
 */
export async function fetchTask(
  ctx: RunnerCtx,
  { holdMs = maxHoldMs, signal }: FetchOptions = {},
): Promise<AssignedTask | undefined> {
  const until = performance.now() + Math.min(holdMs, maxHoldMs)
  const waiter = waitersOf(ctx.db).join(ctx.caller.runnerId)
  try {
    for (;;) {
      const found = await take(ctx, waiter, signal)
      const left = until - performance.now()
      if (found || left <= 0 || !(await waiter.woken(left, signal))) return found
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
  waiter.searches()
  const runner = await findAskingRunner(ctx.db, ctx.caller.runnerId)
  const again = runner && (await deliverAgain(ctx, runner))
  if (again) return again
  const isAble = runner && mayTake(runner, ctx.clock.now())
  waiter.reaches(isAble ? runner : undefined)
  if (!isAble) return undefined
  const claimed = await waitersOf(ctx.db).turns(async () =>
    signal?.aborted ? undefined : await claim(ctx, runner),
  )
  return await claimed?.content.of(claimed.task, claimed.job, claimed.runner)
}

// The answer may have been lost on its way.
async function deliverAgain(ctx: RunnerCtx, runner: AskingRunner): Promise<AssignedTask | undefined> {
  const task =
    runner.unacknowledged_id === null ? undefined : await findOpenTask(ctx.db, runner.unacknowledged_id)
  const job = task && (await findJob(ctx.db, task.repository_id, task.job_id))
  return job && (await (await prepareContent(ctx, task.run_id))?.of(task, job, runner))
}

interface Claimed {
  task: TaskRow
  job: JobRow
  runner: RunnerRow
  content: TaskContent
}

/** Takes the first job that no other process takes first. */
async function claim(ctx: RunnerCtx, asking: AskingRunner): Promise<Claimed | undefined> {
  for (;;) {
    const candidates = await selectCandidates(ctx.db, asking)
    if (candidates.length === 0) return undefined
    for (const candidate of candidates) {
      const result = await claimJob(ctx, candidate)
      if (result === 'refused') return undefined
      if (result) return result
    }
  }
}

async function claimJob(ctx: RunnerCtx, candidate: Candidate): Promise<Claimed | 'refused' | undefined> {
  const content = await prepareContent(ctx, candidate.run_id)
  if (!content) return undefined
  const admitted: { runner?: RunnerRow } = {}
  const assigned = await assignJob(ctx, candidate, async trx => {
    const runner = await lockAskingRunner(trx, ctx.caller.runnerId)
    if (!runner || !mayTake(runner, ctx.clock.now()) || !hasLabels(runner, candidate)) return undefined
    admitted.runner = runner
    return {
      id: runner.id,
      name: runner.name,
      canCancel: runner.capabilities.includes('cancelling'),
      steps: content.steps(candidate.job_key),
    }
  })
  if (!assigned || assigned === 'refused' || !admitted.runner) return assigned && 'refused'
  return { ...assigned, runner: admitted.runner, content }
}

const mayTake = (runner: RunnerRow & { is_used: boolean }, now: Date): boolean =>
  !runner.retired_at && !runner.is_used && !isPaused(runner, now)

const hasLabels = (runner: RunnerRow, { labels }: Candidate): boolean =>
  labels.every(label => runner.labels.includes(label))
