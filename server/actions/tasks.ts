import type { Transaction } from 'kysely'
import type { Database } from '@/db/tables'
import type { RunConclusion } from '@/db/tables/workflow-runs'
import { withTransaction } from '@/db/transaction'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { conflict, gone, unprocessable } from '@/server/kernel/errors'
import { explainGone } from '@/server/users'
import { announceRun, recordCompletion } from './announce'
import { conditionsOf } from './condition'
import {
  findJob,
  findTask,
  insertTask,
  type JobRow,
  selectJobs,
  type TaskRow,
  updateJobs,
  updateTask,
} from './job-store'
import { issueJobToken, taskSeconds } from './job-token'
import type { JobFor, RunFor, TaskFor } from './load'
import { requireUnarchived } from './rules'
import { progressOf, releaseWaiting } from './status'
import { lockRun, type RunRow, updateProgress } from './store'

/** A task with the token that its job authenticates with, which is neither stored nor given again. */
export interface StartedTask {
  task: TaskRow
  token: string
}

/**
 * Starts a job that is queued.
 * @throws {DomainError} forbidden if the repository is archived; unprocessable if the job waits for other jobs; conflict
 * if it was started already; notFound if it is deleted concurrently.
 */
export async function startTask(ctx: ServiceCtx, found: JobFor<'write'>): Promise<StartedTask> {
  requireUnarchived(found.repository)
  const task = await changeRun(ctx, found, async (trx, run, now) => {
    const job = await findJob(trx, run.repository_id, found.job.id)
    if (!job) throw gone('job')
    requireQueued(job)
    // Tokens count in whole seconds.
    const expiresAt = new Date((Math.floor(now.getTime() / 1000) + taskSeconds) * 1000)
    await updateJobs(trx, [job.id], { status: 'in_progress', started_at: now }, now)
    return await insertTask(trx, {
      job_id: job.id,
      run_id: run.id,
      repository_id: run.repository_id,
      status: 'running',
      started_at: now,
      expires_at: expiresAt,
    })
  })
  return { task, token: await issueJobToken(ctx.config, task) }
}

/**
 * Ends a task, and with it the job. Ending it again with the same conclusion changes nothing.
 * @throws {DomainError} conflict if it ended with another conclusion; notFound if it is deleted concurrently.
 */
export async function finishTask(
  ctx: ServiceCtx,
  found: TaskFor<'write'>,
  conclusion: RunConclusion,
): Promise<TaskRow> {
  return await changeRun(ctx, found, async (trx, run, now) => {
    const task = await findTask(trx, run.repository_id, found.task.id)
    const job = task && (await findJob(trx, run.repository_id, task.job_id))
    if (!task || !job) throw gone('job')
    if (task.status === 'ended') {
      if (job.conclusion === conclusion) return task
      throw conflict(`The task ended already; its job has the conclusion ${job.conclusion}.`)
    }
    await updateJobs(trx, [job.id], { status: 'completed', conclusion, completed_at: now }, now)
    return await updateTask(trx, task.id, { status: 'ended', ended_at: now })
  })
}

/**
 * Asks the job of a task to stop. Its token stays valid, so that it can still upload what it has, until the task is
 * finished. A task that ended is left as it is.
 * @throws {DomainError} notFound if it is deleted concurrently.
 */
export async function cancelTask(ctx: ServiceCtx, found: TaskFor<'write'>): Promise<TaskRow> {
  return await changeRun(ctx, found, async (trx, run) => {
    const task = await findTask(trx, run.repository_id, found.task.id)
    if (!task) throw gone('job')
    return task.status === 'running' ? await updateTask(trx, task.id, { status: 'cancelling' }) : task
  })
}

function requireQueued({ status }: JobRow): void {
  if (status === 'waiting') throw unprocessable('The job waits for the jobs that it needs.')
  if (status !== 'queued') throw conflict('The job was started already.')
}

/** Changes jobs or tasks of a run, and then what follows: the jobs that waited for them, and the run's own status. */
async function changeRun<T>(
  ctx: ServiceCtx,
  { repository, run: { id } }: RunFor<'write'>,
  change: (trx: Transaction<Database>, run: RunRow, now: Date) => Promise<T>,
): Promise<T> {
  try {
    return await withTransaction(ctx.db, async trx => {
      const run = await lockRun(trx, id)
      if (!run) throw gone('run')
      const now = ctx.clock.now()
      const result = await change(trx, run, now)
      const after = await advance(trx, run, now)
      if (after.conclusion && !run.conclusion) await recordCompletion(trx, ctx, repository, after)
      announceRun(trx, run)
      return result
    })
  } catch (error) {
    throw explainGone(error)
  }
}

async function advance(trx: Transaction<Database>, run: RunRow, now: Date): Promise<RunRow> {
  const jobs = await selectJobs(trx, run.id, run.attempt)
  const released = new Map(releaseWaiting(jobs, conditionsOf(run)).map(job => [job.id, job]))
  const idsWith = (status: JobRow['status']) =>
    [...released.values()].filter(job => job.status === status).map(job => job.id)
  const [queued, skipped] = [idsWith('queued'), idsWith('completed')]
  if (queued.length > 0) await updateJobs(trx, queued, { status: 'queued' }, now)
  if (skipped.length > 0) {
    const change = { status: 'completed', conclusion: 'skipped', completed_at: now } as const
    await updateJobs(trx, skipped, change, now)
  }
  const progress = progressOf(
    jobs.map(job => released.get(job.id) ?? job),
    now,
    run,
  )
  if (progress.status === run.status && progress.conclusion === run.conclusion) return run
  return await updateProgress(trx, run, progress, now)
}
