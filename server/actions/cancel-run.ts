import type { Transaction } from 'kysely'
import type { Database } from '@/db/tables'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { conflict, isDomainError } from '@/server/kernel/errors'
import type { RepositoryRow } from '@/server/repos'
import { beginCancellation, cancelJobs, isOlder } from './cancel-jobs'
import { changeRun } from './change-run'
import { selectMembersOfRun } from './concurrency-store'
import { endTask } from './end-task'
import { type JobRow, lockOpenTasks, selectJobs } from './job-store'
import type { RunFor } from './load'
import { markCancelled, type RunRow } from './store'

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
    const change = { trx, ctx, repository: found.repository, now }
    // Nothing of a run runs before it has its concurrency group.
    if (!run.cancelled_at && !(await waitsForGroup(trx, run)))
      return await beginCancellation(change, run, cancelled)
    const tasks = await lockOpenTasks(trx, run.id)
    if (!run.cancelled_at) await markCancelled(trx, run.id, now)
    const stopping = tasks.filter(({ status }) => status === 'cancelling')
    if (stopping.length === 0) return await cancelJobs(change, await openJobs(trx, run), tasks, cancelled)
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
    await changeRun(ctx, { repository, run }, async (trx, locked, now) => {
      if (locked.status === 'completed' || locked.owner_id === repository.owner_id) return
      await markCancelled(trx, run.id, now)
      const tasks = await lockOpenTasks(trx, run.id)
      await cancelJobs({ trx, ctx, repository, now }, await openJobs(trx, locked), tasks, cancelled)
    }).catch(ignoreDeleted)
  }
}

async function waitsForGroup(trx: Transaction<Database>, { id, concurrency }: RunRow): Promise<boolean> {
  const members = concurrency ? await selectMembersOfRun(trx, id) : []
  return members.some(({ job_id, is_holder }) => job_id === null && !is_holder)
}

async function openJobs(trx: Transaction<Database>, { id, attempt }: RunRow): Promise<JobRow[]> {
  const jobs = await selectJobs(trx, id, attempt)
  return jobs.filter(({ status, called_id }) => status !== 'completed' && called_id === null)
}

function ignoreDeleted(error: unknown): void {
  if (!isDomainError(error) || error.kind !== 'notFound') throw error
}

const cancelled = { conclusion: 'cancelled', reason: 'cancelled' } as const
