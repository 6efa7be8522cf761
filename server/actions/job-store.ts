import type { Insertable, Selectable, Transaction } from 'kysely'
import type { Db } from '@/db/client'
import { anyOf } from '@/db/sql'
import type { Database } from '@/db/tables'
import type { WorkflowJobsTable, WorkflowTasksTable } from '@/db/tables/workflow-jobs'

export type JobRow = Selectable<WorkflowJobsTable>
/** A task without where its log is. */
export type TaskRow = Omit<Selectable<WorkflowTasksTable>, 'storage_key' | 'log_index'>

const jobColumns = [
  'workflow_jobs.id',
  'workflow_jobs.run_id',
  'workflow_jobs.repository_id',
  'workflow_jobs.attempt',
  'workflow_jobs.job_key',
  'workflow_jobs.matrix',
  'workflow_jobs.position',
  'workflow_jobs.name',
  'workflow_jobs.needs',
  'workflow_jobs.labels',
  'workflow_jobs.condition',
  'workflow_jobs.status',
  'workflow_jobs.conclusion',
  'workflow_jobs.created_at',
  'workflow_jobs.updated_at',
  'workflow_jobs.started_at',
  'workflow_jobs.completed_at',
  'workflow_jobs.queued_at',
] as const

const taskColumns = [
  'workflow_tasks.id',
  'workflow_tasks.job_id',
  'workflow_tasks.run_id',
  'workflow_tasks.repository_id',
  'workflow_tasks.status',
  'workflow_tasks.started_at',
  'workflow_tasks.ended_at',
  'workflow_tasks.expires_at',
  'workflow_tasks.runner_id',
  'workflow_tasks.runner_name',
  'workflow_tasks.can_cancel',
  'workflow_tasks.acknowledged_at',
  'workflow_tasks.reported_at',
  'workflow_tasks.cancelled_at',
  'workflow_tasks.steps',
  'workflow_tasks.log_rows',
  'workflow_tasks.log_bytes',
  'workflow_tasks.log_sealed_at',
] as const

export function findJob(db: Db, repositoryId: number, id: number): Promise<JobRow | undefined> {
  return db
    .selectFrom('workflow_jobs')
    .select(jobColumns)
    .where('repository_id', '=', repositoryId)
    .where('id', '=', id)
    .executeTakeFirst()
}

/**
 * Selects the jobs of an attempt of a run, in their order. A job that the attempt did not run again is the one of the
 * attempt before.
 */
export function selectJobs(db: Db, runId: number, attempt: number): Promise<JobRow[]> {
  return db
    .selectFrom('workflow_jobs')
    .select(jobColumns)
    .distinctOn('position')
    .where('run_id', '=', runId)
    .where('attempt', '<=', attempt)
    .orderBy('position')
    .orderBy('attempt', 'desc')
    .execute()
}

// A statement takes 65,535 parameters.
const batchSize = 1000

/** Inserts jobs and returns them in their order. */
export async function insertJobs(
  trx: Transaction<Database>,
  jobs: readonly Insertable<WorkflowJobsTable>[],
): Promise<JobRow[]> {
  const inserted: JobRow[] = []
  for (let at = 0; at < jobs.length; at += batchSize) {
    const batch = jobs.slice(at, at + batchSize)
    inserted.push(...(await trx.insertInto('workflow_jobs').values(batch).returning(jobColumns).execute()))
  }
  return inserted.sort((a, b) => a.position - b.position)
}

export type JobChange = Partial<Pick<JobRow, 'status' | 'conclusion' | 'started_at' | 'completed_at'>>

export async function updateJobs(
  trx: Transaction<Database>,
  ids: readonly number[],
  change: JobChange,
  now: Date,
): Promise<JobRow[]> {
  return await trx
    .updateTable('workflow_jobs')
    .set({ ...change, updated_at: now, ...(change.status === 'queued' ? { queued_at: now } : {}) })
    .where('id', '=', anyOf(ids))
    .returning(jobColumns)
    .execute()
}

export function findTask(db: Db, repositoryId: number, id: number): Promise<TaskRow | undefined> {
  return db
    .selectFrom('workflow_tasks')
    .select(taskColumns)
    .where('repository_id', '=', repositoryId)
    .where('id', '=', id)
    .executeTakeFirst()
}

export function insertTask(
  trx: Transaction<Database>,
  task: Insertable<WorkflowTasksTable>,
): Promise<TaskRow> {
  return trx.insertInto('workflow_tasks').values(task).returning(taskColumns).executeTakeFirstOrThrow()
}

export function updateTask(
  trx: Transaction<Database>,
  id: number,
  change: Partial<Pick<TaskRow, 'status' | 'ended_at'>>,
): Promise<TaskRow> {
  return trx
    .updateTable('workflow_tasks')
    .set(change)
    .where('id', '=', id)
    .returning(taskColumns)
    .executeTakeFirstOrThrow()
}

/** Finds the task that a token was made for, and the attempt of its job. */
export function findTaskOfToken(db: Db, id: number): Promise<(TaskRow & { attempt: number }) | undefined> {
  return db
    .selectFrom('workflow_tasks')
    .innerJoin('workflow_jobs', 'workflow_jobs.id', 'workflow_tasks.job_id')
    .select([...taskColumns, 'workflow_jobs.attempt'])
    .where('workflow_tasks.id', '=', id)
    .executeTakeFirst()
}

const sweptAtOnce = 1000

/** Selects tasks that have expired without an end, oldest first, with the owners of their repositories. */
export function selectExpiredTasks(db: Db, now: Date): Promise<(TaskRow & { owner_id: number })[]> {
  return db
    .selectFrom('workflow_tasks')
    .innerJoin('repositories', 'repositories.id', 'workflow_tasks.repository_id')
    .select([...taskColumns, 'repositories.owner_id'])
    .where('workflow_tasks.status', '<>', 'ended')
    .where('workflow_tasks.expires_at', '<', now)
    .orderBy('workflow_tasks.expires_at')
    .limit(sweptAtOnce)
    .execute()
}
