import {
  type Insertable,
  type RawBuilder,
  type Selectable,
  sql,
  type Transaction,
  type Updateable,
} from 'kysely'
import type { Db } from '@/db/client'
import { anyOf, countRows } from '@/db/sql'
import type { Database } from '@/db/tables'
import type { RunnersTable } from '@/db/tables/runners'
import type { StoredStep, WorkflowJobsTable, WorkflowTasksTable } from '@/db/tables/workflow-jobs'
import { offsetOf, type PageRequest } from '@/server/kernel/pagination'
import { isIn, type RunFilter, type RunsOf } from './store'

/** Row of a job without the size of its outputs. */
export type JobRow = Omit<Selectable<WorkflowJobsTable>, 'output_bytes'>
/** Row of a task without the storage details of its log. */
export type TaskRow = Omit<Selectable<WorkflowTasksTable>, 'storage_key' | 'log_index' | 'log_cut_at'>

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
  'workflow_jobs.end_reason',
  'workflow_jobs.continue_on_error',
  'workflow_jobs.template',
  'workflow_jobs.runner_group',
  'workflow_jobs.fail_fast',
  'workflow_jobs.max_parallel',
  'workflow_jobs.concurrency',
  'workflow_jobs.hold',
  'workflow_jobs.end_message',
  'workflow_jobs.parent_position',
  'workflow_jobs.call',
  'workflow_jobs.called_id',
  'workflow_jobs.workflow_id',
  'workflow_jobs.permissions',
] as const

export const taskColumns = [
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
 * Selects the jobs of one attempt of a run by position. For a job that this attempt did not rerun, the result
 * has the row of the latest earlier attempt.
 */
export async function selectJobs(db: Db, runId: number, attempt: number): Promise<JobRow[]> {
  const rows = await db
    .selectFrom('workflow_jobs')
    .select(jobColumns)
    .distinctOn('position')
    .where('run_id', '=', runId)
    .where('attempt', '<=', attempt)
    .where('attempt', '>=', jobsSince(runId, attempt))
    .orderBy('position')
    .orderBy('attempt', 'desc')
    .execute()
  return rows.some(({ workflow_id }) => workflow_id !== null) ? ofOpenCalls(rows) : rows
}

// If a workflow is called again, the jobs of the earlier call do not belong to the attempt any more.
function ofOpenCalls(rows: readonly JobRow[]): JobRow[] {
  const called = new Set(rows.flatMap(({ called_id }) => called_id ?? []))
  const kept = rows.filter(({ workflow_id }) => workflow_id === null || called.has(workflow_id))
  return kept.length < rows.length ? ofOpenCalls(kept) : kept
}

/**
 * SQL expression for the oldest attempt whose jobs belong to an attempt of a run: the newest one up to it that
 * reran all jobs.
 */
export const jobsSince = (runId: number, attempt: number): RawBuilder<number> =>
  sql<number>`(select jobs_since from workflow_run_attempts
    where workflow_run_attempts.run_id = ${runId} and workflow_run_attempts.number <= ${attempt}
    order by workflow_run_attempts.number desc limit 1)`

interface JobFilter extends Pick<RunFilter, 'statuses' | 'conclusion'> {
  /** Whether the jobs have started themselves, and not by calling a reusable workflow. */
  hasTask?: boolean
}

function jobsOf(db: Db, scope: RunsOf, { statuses, conclusion, hasTask }: JobFilter) {
  let jobs = db.selectFrom('workflow_jobs').where(isIn('workflow_jobs', scope))
  if (statuses) jobs = jobs.where('status', 'in', statuses)
  if (conclusion) jobs = jobs.where('conclusion', '=', conclusion)
  if (hasTask) jobs = jobs.where('started_at', 'is not', null).where('called_id', 'is', null)
  return jobs
}

/** Selects a page of a scope's jobs, newest first. */
export function selectScopeJobs(
  db: Db,
  scope: RunsOf,
  filter: JobFilter,
  page: PageRequest,
): Promise<JobRow[]> {
  return jobsOf(db, scope, filter)
    .select(jobColumns)
    .orderBy('id', 'desc')
    .limit(page.limit)
    .offset(offsetOf(page))
    .execute()
}

export function countScopeJobs(db: Db, scope: RunsOf, filter: JobFilter): Promise<number> {
  return countRows(jobsOf(db, scope, filter))
}

/** Selects jobs by ID. Jobs that do not exist are absent from the map. */
export async function selectJobsById(db: Db, ids: readonly number[]): Promise<Map<number, JobRow>> {
  const rows = await db.selectFrom('workflow_jobs').select(jobColumns).where('id', '=', anyOf(ids)).execute()
  return new Map(rows.map(row => [row.id, row]))
}

/** Selects the latest task of each of these jobs, by job ID. */
export async function selectTasksOfJobs(db: Db, jobIds: readonly number[]): Promise<Map<number, TaskRow>> {
  const rows = await db
    .selectFrom('workflow_tasks')
    .select(taskColumns)
    .where('job_id', '=', anyOf(jobIds))
    .orderBy('id')
    .execute()
  return new Map(rows.map(row => [row.job_id, row]))
}

// Building and reading statements with many rows blocks the event loop, as does the embedded database.
const batchSize = 25

/** Inserts jobs and returns their rows by position. */
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

/**
 * Returns the status of any job of the run that has not completed, preferring `waiting`; undefined if all
 * have completed. `stopsOthers` is whether a job of the latest attempt failed that cancels others.
 */
export async function findOpenStatus(
  db: Db,
  { id, attempt }: { id: number; attempt: number },
): Promise<{ status: JobRow['status']; stopsOthers: boolean } | undefined> {
  return await db
    .selectFrom('workflow_jobs')
    .select(['status'])
    .select(
      sql<boolean>`exists (select from workflow_jobs failed where failed.run_id = ${id}
        and failed.attempt = ${attempt} and failed.fail_fast and failed.conclusion = 'failure'
        and not failed.continue_on_error)`.as('stopsOthers'),
    )
    .where('run_id', '=', id)
    .where('status', '<>', 'completed')
    // `waiting` is last in alphabetical order.
    .orderBy('status', 'desc')
    .limit(1)
    .executeTakeFirst()
}

export type JobChange = Omit<
  Updateable<WorkflowJobsTable>,
  'id' | 'run_id' | 'repository_id' | 'attempt' | 'position'
>

export async function updateJobs(
  trx: Transaction<Database>,
  ids: readonly number[],
  change: JobChange,
  now: Date,
): Promise<JobRow[]> {
  const updated: JobRow[] = []
  for (let at = 0; at < ids.length; at += batchSize) {
    const batch = await trx
      .updateTable('workflow_jobs')
      .set(eb => ({
        ...change,
        updated_at: now,
        // A job that returns to the queue keeps its place.
        ...(change.status === 'queued' && { queued_at: eb.fn.coalesce('queued_at', eb.val(now)) }),
      }))
      .where('id', '=', anyOf(ids.slice(at, at + batchSize)))
      .returning(jobColumns)
      .execute()
    updated.push(...batch)
  }
  return updated
}

export function findTask(db: Db, repositoryId: number, id: number): Promise<TaskRow | undefined> {
  return db
    .selectFrom('workflow_tasks')
    .select(taskColumns)
    .where('repository_id', '=', repositoryId)
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Locks a task of a locked run, because its runner may be reporting about it concurrently. */
export function lockTask(
  trx: Transaction<Database>,
  repositoryId: number,
  id: number,
): Promise<TaskRow | undefined> {
  return trx
    .selectFrom('workflow_tasks')
    .select(taskColumns)
    .where('repository_id', '=', repositoryId)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

/** Finds the latest task of a job. */
export function findTaskOfJob(db: Db, jobId: number): Promise<TaskRow | undefined> {
  return db
    .selectFrom('workflow_tasks')
    .select(taskColumns)
    .where('job_id', '=', jobId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Inserts the tasks of one assignment in a single statement. */
export function insertTasks(
  trx: Transaction<Database>,
  tasks: readonly Insertable<WorkflowTasksTable>[],
): Promise<TaskRow[]> {
  return trx.insertInto('workflow_tasks').values(tasks).returning(taskColumns).execute()
}

export function updateTask(
  trx: Transaction<Database>,
  id: number,
  change: Updateable<WorkflowTasksTable>,
): Promise<TaskRow> {
  return trx
    .updateTable('workflow_tasks')
    .set(change)
    .where('id', '=', id)
    .returning(taskColumns)
    .executeTakeFirstOrThrow()
}

/** Finds a task of any repository that has not ended. */
export function findOpenTask(db: Db, id: number): Promise<TaskRow | undefined> {
  return db
    .selectFrom('workflow_tasks')
    .select(taskColumns)
    .where('id', '=', id)
    .where('status', '<>', 'ended')
    .executeTakeFirst()
}

/**
 * Locks the tasks of a run that have not ended, because their runners may be reporting about them
 * concurrently.
 */
export function lockOpenTasks(trx: Transaction<Database>, runId: number): Promise<TaskRow[]> {
  return trx
    .selectFrom('workflow_tasks')
    .select(taskColumns)
    .where('run_id', '=', runId)
    .where('status', '<>', 'ended')
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
}

/** Selects a runner's tasks that have not ended, with the owners of their repositories. */
export function selectTasksOfRunner(db: Db, runnerId: number): Promise<(TaskRow & { owner_id: number })[]> {
  return db
    .selectFrom('workflow_tasks')
    .innerJoin('repositories', 'repositories.id', 'workflow_tasks.repository_id')
    .select([...taskColumns, 'repositories.owner_id'])
    .where('runner_id', '=', runnerId)
    .where('workflow_tasks.status', '<>', 'ended')
    .orderBy('workflow_tasks.id')
    .execute()
}

export async function deleteTask(trx: Transaction<Database>, id: number): Promise<void> {
  await trx.deleteFrom('workflow_tasks').where('id', '=', id).execute()
}

/** Task with the data that handling a report needs. */
export type ReportedTask = TaskRow & {
  owner_id: number
  /** Whether the task's run can have concurrency groups. */
  uses_groups: boolean
  /** Conclusion of the task's job. */
  conclusion: JobRow['conclusion']
  /** Names of the outputs that the job has set. */
  outputs: string[]
}

export async function findReportedTask(db: Db, id: number): Promise<ReportedTask | undefined> {
  return await db
    .selectFrom('workflow_tasks')
    .innerJoin('repositories', 'repositories.id', 'workflow_tasks.repository_id')
    .innerJoin('workflow_runs', 'workflow_runs.id', 'workflow_tasks.run_id')
    .innerJoin('workflow_jobs', 'workflow_jobs.id', 'workflow_tasks.job_id')
    .select([
      ...taskColumns,
      'repositories.owner_id',
      'workflow_runs.uses_groups',
      'workflow_jobs.conclusion',
    ])
    .select(eb =>
      sql<string[]>`array(${eb
        .selectFrom('workflow_job_outputs')
        .select('name')
        .whereRef('workflow_job_outputs.job_id', '=', 'workflow_tasks.job_id')})`.as('outputs'),
    )
    .where('workflow_tasks.id', '=', id)
    .executeTakeFirst()
}

/**
 * Records that a runner reported about a task that has not ended. The first report acknowledges the task. No
 * other change of a task works without locking its run.
 */
export async function updateOpenTask(
  db: Db,
  id: number,
  { steps, now }: { steps?: readonly StoredStep[] | undefined; now: Date },
): Promise<void> {
  await db
    .updateTable('workflow_tasks')
    .set(eb => ({
      reported_at: now,
      acknowledged_at: eb.fn.coalesce('acknowledged_at', eb.val(now)),
      ...(steps && { steps: JSON.stringify(steps) }),
    }))
    .where('id', '=', id)
    .where('status', '<>', 'ended')
    .execute()
}

type RunnerScope = Pick<Selectable<RunnersTable>, 'id' | 'owner_id' | 'repository_id'>

/** Selects the owner and repository of these runners, by ID. */
export function selectRunnerScopes(
  trx: Transaction<Database>,
  ids: readonly number[],
): Promise<RunnerScope[]> {
  return trx
    .selectFrom('runners')
    .select(['id', 'owner_id', 'repository_id'])
    .where('id', '=', anyOf(ids))
    .orderBy('id')
    .execute()
}

/**
 * Retires an ephemeral runner whose task has ended; undefined if the runner is not ephemeral or was retired
 * before.
 */
export function retireEphemeral(
  trx: Transaction<Database>,
  runnerId: number,
  now: Date,
): Promise<Pick<Selectable<RunnersTable>, 'id' | 'name' | 'owner_id' | 'repository_id'> | undefined> {
  return trx
    .updateTable('runners')
    .set({ retired_at: now })
    .where('id', '=', runnerId)
    .where('is_ephemeral', '=', true)
    .where('retired_at', 'is', null)
    .returning(['id', 'name', 'owner_id', 'repository_id'])
    .executeTakeFirst()
}
