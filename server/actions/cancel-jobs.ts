import type { EndReason } from '@/db/tables/end-reasons'
import { createPauses } from '@/server/kernel/pauses'
import { changeJobs, endJobs, type JobEnd, type RunChange } from './change-jobs'
import { endTask } from './end-task'
import { createConditions } from './evaluate-conditions'
import { type JobRow, lockOpenTasks, selectJobs, type TaskRow, updateTask } from './job-store'
import { readBefore } from './status'
import { markCancelled, type RunRow } from './store'

/** Time without a report, in milliseconds, after which a cancellation does not wait for a runner. */
export const silentMs = 60_000

/** Why jobs are canceled. */
export interface Cancellation {
  reason: EndReason
  message?: string
}

/**
 * Cancels the unfinished jobs of a run whose condition is not met once the run is canceled. Does nothing if it
 * was canceled before.
 */
export async function beginCancellation(change: RunChange, run: RunRow, why: Cancellation): Promise<void> {
  if (run.cancelled_at) return
  const { trx, now } = change
  const jobs = await selectJobs(trx, run.id, run.attempt)
  await markCancelled(trx, run.id, now)
  const stopped = await stoppedBy(change, { ...run, cancelled_at: now }, jobs)
  await cancelJobs(change, stopped, await lockOpenTasks(trx, run.id), why)
}

async function stoppedBy({ trx }: RunChange, run: RunRow, jobs: readonly JobRow[]): Promise<JobRow[]> {
  const open = jobs.filter(({ status }) => status !== 'completed')
  const conditions = await createConditions(trx, run, jobs)
  await conditions.prepare(open)
  const beforeOf = readBefore(jobs)
  const stopped: JobRow[] = []
  const giveWay = createPauses()
  // A job that has called a reusable workflow ends with the jobs of this workflow.
  for (const job of open.filter(({ called_id }) => called_id === null)) {
    if (conditions.conditionOf(job, beforeOf(job)) !== 'met') stopped.push(job)
    await giveWay()
  }
  return stopped
}

/** Cancels jobs that have not started, and asks the runners of the others to stop their tasks. */
export async function cancelJobs(
  change: RunChange,
  jobs: readonly JobRow[],
  tasks: readonly TaskRow[],
  { reason, message = '' }: Cancellation,
): Promise<void> {
  const end: JobEnd = { conclusion: 'cancelled', reason, message }
  const notBegun = jobs.filter(({ status }) => status !== 'in_progress')
  await endJobs(
    change,
    notBegun.map(({ id }) => id),
    end,
  )
  const ids = new Set(jobs.map(({ id }) => id))
  for (const task of tasks) if (ids.has(task.job_id)) await cancelTask(change, task, end)
}

/** Whether a time is so long ago that a cancellation does not wait for a runner. */
export const isOlder = (time: Date, now: Date): boolean => now.getTime() - time.getTime() >= silentMs

async function cancelTask(change: RunChange, task: TaskRow, end: JobEnd): Promise<void> {
  const { trx, now } = change
  if (task.status === 'cancelling') return
  if (task.runner_id !== null && task.can_cancel && !isOlder(task.reported_at, now)) {
    await updateTask(trx, task.id, { status: 'cancelling', cancelled_at: now })
    // Shown once the runner has stopped the job.
    if (end.reason !== 'cancelled')
      await changeJobs(
        change,
        [task.job_id],
        { end_reason: end.reason ?? null, end_message: end.message ?? '' },
        'silent',
      )
  } else {
    await endTask(change, task, end)
  }
}
