import type { Insertable, Selectable, Transaction } from 'kysely'
import type { Db } from '@/db/client'
import { anyOf } from '@/db/sql'
import type { Database } from '@/db/tables'
import type { WorkflowRunsTable } from '@/db/tables/workflow-runs'

/** A run without its document, which can be long. */
export type RunRow = Omit<Selectable<WorkflowRunsTable>, 'document'>

const runColumns = [
  'workflow_runs.id',
  'workflow_runs.repository_id',
  'workflow_runs.number',
  'workflow_runs.title',
  'workflow_runs.workflow_path',
  'workflow_runs.workflow_name',
  'workflow_runs.event',
  'workflow_runs.ref',
  'workflow_runs.sha',
  'workflow_runs.actor_id',
  'workflow_runs.attempt',
  'workflow_runs.status',
  'workflow_runs.conclusion',
  'workflow_runs.artifact_count',
  'workflow_runs.created_at',
  'workflow_runs.updated_at',
  'workflow_runs.started_at',
  'workflow_runs.completed_at',
] as const

export function findRun(db: Db, repositoryId: number, id: number): Promise<RunRow | undefined> {
  return db
    .selectFrom('workflow_runs')
    .select(runColumns)
    .where('repository_id', '=', repositoryId)
    .where('id', '=', id)
    .executeTakeFirst()
}

/**
 * Locks a run until the transaction ends and returns its current row, or undefined if it was deleted. All changes to its
 * attempts, jobs and tasks lock it first.
 */
export function lockRun(trx: Transaction<Database>, id: number): Promise<RunRow | undefined> {
  return trx
    .selectFrom('workflow_runs')
    .select(runColumns)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

/** Inserts a run and its first attempt. */
export async function insertRun(
  trx: Transaction<Database>,
  run: Insertable<WorkflowRunsTable>,
): Promise<RunRow> {
  const inserted = await trx
    .insertInto('workflow_runs')
    .values(run)
    .returning(runColumns)
    .executeTakeFirstOrThrow()
  await trx
    .insertInto('workflow_run_attempts')
    .values({
      run_id: inserted.id,
      number: inserted.attempt,
      actor_id: inserted.actor_id,
      status: inserted.status,
      conclusion: inserted.conclusion,
      created_at: inserted.created_at,
      started_at: inserted.started_at,
      completed_at: inserted.completed_at,
    })
    .execute()
  return inserted
}

export type Progress = Pick<RunRow, 'status' | 'conclusion' | 'started_at' | 'completed_at'>

/** Sets the status of a run and of its latest attempt. */
export async function updateProgress(
  trx: Transaction<Database>,
  { id, attempt }: RunRow,
  progress: Progress,
  now: Date,
): Promise<RunRow> {
  await trx
    .updateTable('workflow_run_attempts')
    .set(progress)
    .where('run_id', '=', id)
    .where('number', '=', attempt)
    .execute()
  return await trx
    .updateTable('workflow_runs')
    .set({ ...progress, updated_at: now })
    .where('id', '=', id)
    .returning(runColumns)
    .executeTakeFirstOrThrow()
}

/**
 * Takes the next run number of a repository, which stays locked until the transaction ends. Undefined if the repository
 * was deleted.
 */
export function takeRunNumber(
  trx: Transaction<Database>,
  repositoryId: number,
): Promise<{ last_run_number: number; archived_at: Date | null } | undefined> {
  return trx
    .updateTable('repositories')
    .set(eb => ({ last_run_number: eb('last_run_number', '+', 1) }))
    .where('id', '=', repositoryId)
    .returning(['last_run_number', 'archived_at'])
    .executeTakeFirst()
}

/** Locks the accounts that a change of runs refers to, before anything else is locked. */
export async function lockAccounts(trx: Transaction<Database>, ids: readonly number[]): Promise<void> {
  await trx
    .selectFrom('users')
    .select('id')
    .where('id', '=', anyOf([...new Set(ids)]))
    .orderBy('id')
    .forKeyShare()
    .execute()
}
