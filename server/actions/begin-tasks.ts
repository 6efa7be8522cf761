import type { Insertable } from 'kysely'
import type { WorkflowTasksTable } from '@/db/tables/workflow-jobs'
import { taskSeconds } from '@/server/auth/credentials/job-token'
import { announceRunners } from './announce'
import { changeJobs, type RunChange } from './change-jobs'
import { insertTasks, type JobRow, type TaskRow } from './job-store'

/** Queued job to start, with the columns of its task that describe the runner. */
export interface StartingJob {
  job: JobRow
  runner?: Partial<Insertable<WorkflowTasksTable>>
}

/** Starts queued jobs of a locked run and returns their tasks. */
export async function beginTasks(change: RunChange, starting: readonly StartingJob[]): Promise<TaskRow[]> {
  const { trx, now } = change
  // Tokens store their expiration in whole seconds.
  const expiresAt = new Date((Math.floor(now.getTime() / 1000) + taskSeconds) * 1000)
  const ids = starting.map(({ job }) => job.id)
  await changeJobs(change, ids, { status: 'in_progress', started_at: now })
  const tasks = starting.map(({ job: { id, run_id, repository_id }, runner }) => ({
    ...runner,
    job_id: id,
    run_id,
    repository_id,
    status: 'running' as const,
    started_at: now,
    reported_at: now,
    expires_at: expiresAt,
  }))
  await announceRunners(
    trx,
    starting.flatMap(({ runner }) => runner?.runner_id ?? []),
  )
  return await insertTasks(trx, tasks)
}
