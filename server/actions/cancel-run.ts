import type { Transaction } from 'kysely'
import type { Database } from '@/db/tables'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { conflict, isDomainError } from '@/server/kernel/errors'
import { createPauses } from '@/server/kernel/pauses'
import type { RepositoryRow } from '@/server/repos'
import { endJobs, type RunChange } from './change-jobs'
import { changeRun } from './change-run'
import { createConditions } from './evaluate-conditions'
import { type JobRow, lockOpenTasks, selectJobs, type TaskRow, updateTask } from './job-store'
import type { RunFor } from './load'
import { readBefore } from './status'
import { markCancelled, type RunRow } from './store'
import { endTask } from './tasks'

/** Time without a report, in milliseconds, after which a cancellation does not wait for a runner. */
export const silentMs = 60_000

/**
 * Cancels a run: jobs that have not started are canceled, and runners are asked to stop their tasks. A task
 * is canceled immediately if its runner cannot be asked or has not reported for a minute. As on GitHub, jobs
 * continue if their condition is still met once `cancelled()` is true. Canceling the run again cancels tasks
 * that have been stopping for more than a minute or, if no task is stopping, all remaining jobs.
 * @throws {DomainError} conflict if the run has completed; notFound if it is deleted concurrently.
 */
export async function cancelRun(ctx: ServiceCtx, found: RunFor<'write'>): Promise<void> {
  await changeRun(ctx, found, async (trx, run, now) => {
    if (run.status === 'completed') throw conflict('The run has already completed.')
    const jobs = await selectJobs(trx, run.id, run.attempt)
    const open = jobs.filter(({ status }) => status !== 'completed')
    const tasks = await lockOpenTasks(trx, run.id)
    const stopping = tasks.filter(({ status }) => status === 'cancelling')
    const change = { trx, ctx, repository: found.repository, now }
    if (!run.cancelled_at) {
      await markCancelled(trx, run.id, now)
      return await cancelJobs(change, await stoppedBy(trx, { ...run, cancelled_at: now }, jobs), tasks)
    }
    if (stopping.length === 0) return await cancelJobs(change, open, tasks)
    for (const task of stopping) {
      if (isOlder(task.cancelled_at ?? task.started_at, now)) await endTask(change, task, cancelled)
    }
  })
}

/**
 * Cancels all unfinished runs that were started under former owners of a repository, including jobs that
 * would continue after a regular cancellation. Can be repeated.
 */
export async function cancelRunsOfFormerOwners(ctx: ServiceCtx, repository: RepositoryRow): Promise<void> {
  const runs = await ctx.db
    .selectFrom('workflow_runs')
    .select('id')
    .where('repository_id', '=', repository.id)
    .where('status', 'in', ['queued', 'waiting', 'in_progress'])
    .where('owner_id', '<>', repository.owner_id)
    .orderBy('id')
    .execute()
  for (const run of runs) {
    await changeRun(ctx, { repository, run }, async (trx, { id, owner_id, attempt, status }, now) => {
      if (status === 'completed' || owner_id === repository.owner_id) return
      const jobs = await selectJobs(trx, id, attempt)
      const open = jobs.filter(job => job.status !== 'completed')
      await markCancelled(trx, id, now)
      await cancelJobs({ trx, ctx, repository, now }, open, await lockOpenTasks(trx, id))
    }).catch(ignoreDeleted)
  }
}

function ignoreDeleted(error: unknown): void {
  if (!isDomainError(error) || error.kind !== 'notFound') throw error
}

/** Returns the unfinished jobs whose condition is not met once the run is canceled. */
async function stoppedBy(
  trx: Transaction<Database>,
  run: RunRow,
  jobs: readonly JobRow[],
): Promise<JobRow[]> {
  const open = jobs.filter(({ status }) => status !== 'completed')
  const conditions = await createConditions(trx, run, jobs)
  await conditions.prepare(open)
  const beforeOf = readBefore(jobs)
  const stopped: JobRow[] = []
  const giveWay = createPauses()
  for (const job of open) {
    if (!conditions.runs(job, beforeOf(job))) stopped.push(job)
    await giveWay()
  }
  return stopped
}

async function cancelJobs(
  change: RunChange,
  jobs: readonly JobRow[],
  tasks: readonly TaskRow[],
): Promise<void> {
  const notBegun = jobs.filter(({ status }) => status !== 'in_progress')
  await endJobs(
    change,
    notBegun.map(({ id }) => id),
    cancelled,
  )
  const ids = new Set(jobs.map(({ id }) => id))
  for (const task of tasks) if (ids.has(task.job_id)) await cancelTask(change, task)
}

const cancelled = { conclusion: 'cancelled', reason: 'cancelled' } as const

const isOlder = (time: Date, now: Date): boolean => now.getTime() - time.getTime() >= silentMs

async function cancelTask(change: RunChange, task: TaskRow): Promise<void> {
  const { trx, now } = change
  if (task.runner_id !== null && task.can_cancel && !isOlder(task.reported_at, now)) {
    await updateTask(trx, task.id, { status: 'cancelling', cancelled_at: now })
  } else {
    await endTask(change, task, cancelled)
  }
}
