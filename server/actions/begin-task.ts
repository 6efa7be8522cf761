import type { Insertable } from 'kysely'
import type { WorkflowTasksTable } from '@/db/tables/workflow-jobs'
import { taskSeconds } from '@/server/kernel/auth/job-token'
import { changeJobs, type RunChange } from './change-jobs'
import { insertTask, type JobRow, type TaskRow } from './job-store'

/** Starts a queued job, whose run is locked. */
export async function beginTask(
  change: RunChange,
  { id, run_id, repository_id }: JobRow,
  runner: Partial<Insertable<WorkflowTasksTable>> = {},
): Promise<TaskRow> {
  const { trx, now } = change
  // Tokens count in whole seconds.
  const expiresAt = new Date((Math.floor(now.getTime() / 1000) + taskSeconds) * 1000)
  await changeJobs(change, [id], { status: 'in_progress', started_at: now })
  return await insertTask(trx, {
    ...runner,
    job_id: id,
    run_id,
    repository_id,
    status: 'running',
    started_at: now,
    reported_at: now,
    expires_at: expiresAt,
  })
}
