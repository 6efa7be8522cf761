import type { Transaction } from 'kysely'
import type { Database } from '@/db/tables'
import type { RunConclusion } from '@/db/tables/workflow-runs'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { conflict, gone, isDomainError, unprocessable } from '@/server/kernel/errors'
import { defineJob } from '@/server/kernel/jobs'
import { recordJobs } from './announce'
import { changeRun } from './change-run'
import {
  findJob,
  findTask,
  insertTask,
  type JobRow,
  selectExpiredTasks,
  type TaskRow,
  updateJobs,
  updateTask,
} from './job-store'
import { issueJobToken, taskSeconds } from './job-token'
import type { JobFor, TaskFor } from './load'
import { requireUnarchived } from './policy'

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
    const started = await updateJobs(trx, [job.id], { status: 'in_progress', started_at: now }, now)
    await recordJobs(trx, ctx, found.repository, started)
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
    return await endTask(trx, ctx, found.repository, { task, conclusion, now })
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

/**
 * Ends tasks whose tokens have expired, because nobody reported how they ended: their jobs have failed, or were
 * cancelled if that was asked for.
 */
export const sweepTasksJob = defineJob({
  name: 'actions.sweepTasks',
  async run(ctx, signal) {
    let ended = 0
    for (const { id, run_id, repository_id, owner_id } of await selectExpiredTasks(ctx.db, ctx.clock.now())) {
      if (signal.aborted) break
      const place = { repository: { id: repository_id, owner_id }, run: { id: run_id } }
      await changeRun(ctx, place, async (trx, _, now) => {
        const task = await findTask(trx, repository_id, id)
        if (!task || task.status === 'ended') return
        const conclusion = task.status === 'cancelling' ? 'cancelled' : 'failure'
        await endTask(trx, ctx, place.repository, { task, conclusion, now })
      }).catch(error => {
        if (!isDomainError(error)) throw error
      })
      ended++
    }
    return { ended }
  },
})

async function endTask(
  trx: Transaction<Database>,
  ctx: ServiceCtx,
  repository: { id: number; owner_id: number },
  { task: { id, job_id }, conclusion, now }: { task: TaskRow; conclusion: RunConclusion; now: Date },
): Promise<TaskRow> {
  const change = { status: 'completed', conclusion, completed_at: now } as const
  await recordJobs(trx, ctx, repository, await updateJobs(trx, [job_id], change, now))
  return await updateTask(trx, id, { status: 'ended', ended_at: now })
}

function requireQueued({ status }: JobRow): void {
  if (status === 'waiting') throw unprocessable('The job waits for the jobs that it needs.')
  if (status !== 'queued') throw conflict('The job was started already.')
}
