import type { RunConclusion } from '@/db/tables/workflow-runs'
import { issueJobToken } from '@/server/auth/credentials/job-token'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { conflict, deleted, isDomainError, unprocessable } from '@/server/kernel/errors'
import { beginTasks } from './begin-tasks'
import type { JobEnd } from './change-jobs'
import { changeRun } from './change-run'
import { endTask, giveBack } from './end-task'
import { findJob, type JobRow, lockTask, selectTasksOfRunner, type TaskRow } from './job-store'
import type { JobFor, TaskFor } from './load'
import { requireUnarchived } from './policy'

/** Task with the token that its job authenticates with. The token is not stored and not shown again. */
export interface StartedTask {
  task: TaskRow
  token: string
}

/**
 * Starts a queued job.
 * @throws {DomainError} forbidden if the repository is archived; unprocessable if the job waits for other
 * jobs; conflict if it has already started; notFound if it is deleted concurrently.
 */
export async function startTask(ctx: ServiceCtx, found: JobFor<'write'>): Promise<StartedTask> {
  const task = await changeRun(ctx, found, async (trx, run, now, locked) => {
    requireUnarchived(locked)
    const job = await findJob(trx, run.repository_id, found.job.id)
    // A run from before a transfer is about to be canceled.
    if (!job || run.owner_id !== locked.owner_id) throw deleted('job')
    requireQueued(job)
    const [begun] = await beginTasks({ trx, ctx, repository: found.repository, now }, [{ job }])
    if (!begun) throw deleted('job')
    return begun
  })
  return { task, token: await issueJobToken(ctx.config, task) }
}

/**
 * Finishes a task and completes its job. Repeating it with the same conclusion changes nothing.
 * @throws {DomainError} conflict if the task ended with another conclusion; notFound if it is deleted
 * concurrently.
 */
export async function finishTask(
  ctx: ServiceCtx,
  found: TaskFor<'write'>,
  conclusion: RunConclusion,
): Promise<TaskRow> {
  return await changeRun(ctx, found, async (trx, run, now) => {
    const task = await lockTask(trx, run.repository_id, found.task.id)
    const job = task && (await findJob(trx, run.repository_id, task.job_id))
    if (!task || !job) throw deleted('job')
    if (task.status === 'ended') {
      if (job.conclusion === conclusion) return task
      throw conflict(`The task has already ended. Its job's conclusion is ${job.conclusion}.`)
    }
    return await endTask({ trx, ctx, repository: found.repository, now }, task, { conclusion })
  })
}

/**
 * Ends the tasks of a runner that is being deleted and gets no new ones. Jobs fail, or return to the queue if
 * the runner had not acknowledged them.
 * @throws {Error} once all others are handled, if one of them could not be ended.
 */
export async function endTasksOfRunner(ctx: ServiceCtx, runnerId: number): Promise<void> {
  const failures: unknown[] = []
  for (const { id, run_id, repository_id, owner_id } of await selectTasksOfRunner(ctx.db, runnerId)) {
    const target = { repository: { id: repository_id, owner_id }, run: { id: run_id } }
    await changeRun(ctx, target, async (trx, _, now) => {
      const task = await lockTask(trx, repository_id, id)
      if (!task || task.status === 'ended') return
      const change = { trx, ctx, repository: target.repository, now }
      const isCanceling = task.status === 'cancelling'
      if (!task.acknowledged_at && !isCanceling) return await giveBack(change, task)
      const end: JobEnd = isCanceling
        ? { conclusion: 'cancelled', reason: 'cancelled' }
        : { conclusion: 'failure', reason: 'runner_deleted' }
      await endTask(change, task, end)
    }).catch(error => {
      if (!isDeleted(error)) failures.push(error)
    })
  }
  if (failures.length > 0) throw new AggregateError(failures, 'tasks of a runner could not be ended')
}

/** Fails the job of an open task that cannot be sent to its runner. */
export async function failTask(
  ctx: ServiceCtx,
  repository: { id: number; owner_id: number },
  { id, run_id }: Pick<TaskRow, 'id' | 'run_id'>,
  why: Pick<JobEnd, 'reason' | 'message'>,
): Promise<void> {
  await changeRun(ctx, { repository, run: { id: run_id } }, async (trx, _, now) => {
    const task = await lockTask(trx, repository.id, id)
    if (!task || task.status === 'ended') return
    await endTask({ trx, ctx, repository, now }, task, { conclusion: 'failure', ...why })
  }).catch(error => {
    if (!isDeleted(error)) throw error
  })
}

/** Whether an operation failed because its target was deleted. */
export const isDeleted = (error: unknown): boolean => isDomainError(error) && error.kind === 'notFound'

function requireQueued({ status }: JobRow): void {
  if (status === 'waiting') throw unprocessable('The job is waiting for jobs that it depends on.')
  if (status !== 'queued') throw conflict('The job has already started.')
}
