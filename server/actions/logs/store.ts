import { type Selectable, sql, type Transaction, type Updateable } from 'kysely'
import type { Db } from '@/db/client'
import { anyOf } from '@/db/sql'
import type { Database } from '@/db/tables'
import type { WorkflowLogChunksTable, WorkflowTasksTable } from '@/db/tables/workflow-jobs'

const columns = [
  'id',
  'run_id',
  'repository_id',
  'runner_id',
  'acknowledged_at',
  'log_rows',
  'log_bytes',
  'log_cut_at',
  'log_sealed_at',
  'log_index',
  'storage_key',
] as const

/** Log of a task. */
export type Log = Pick<Selectable<WorkflowTasksTable>, (typeof columns)[number]>

/** Returns how many rows of a log can be read; rows beyond the size limit were only counted. */
export const readableRows = ({ log_rows, log_cut_at }: Log): number =>
  log_cut_at === null ? log_rows : log_cut_at + 1

export function findLog(db: Db, taskId: number): Promise<Log | undefined> {
  return db.selectFrom('workflow_tasks').select(columns).where('id', '=', taskId).executeTakeFirst()
}

/** Finds the log of a job's latest task. */
export function findLogOfJob(db: Db, jobId: number): Promise<Log | undefined> {
  return db
    .selectFrom('workflow_tasks')
    .select(columns)
    .where('job_id', '=', jobId)
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Locks the log of a task until the transaction ends. */
export function lockLog(trx: Transaction<Database>, taskId: number): Promise<Log | undefined> {
  return trx
    .selectFrom('workflow_tasks')
    .select(columns)
    .where('id', '=', taskId)
    .forNoKeyUpdate()
    .executeTakeFirst()
}

export async function updateLog(
  trx: Transaction<Database>,
  taskId: number,
  change: Updateable<WorkflowTasksTable>,
): Promise<void> {
  await trx.updateTable('workflow_tasks').set(change).where('id', '=', taskId).execute()
}

export type Chunk = Selectable<WorkflowLogChunksTable>

export async function insertChunks(trx: Transaction<Database>, chunks: readonly Chunk[]): Promise<void> {
  if (chunks.length > 0)
    await trx
      .insertInto('workflow_log_chunks')
      .values([...chunks])
      .execute()
}

// Readers hold a batch in memory for as long as their clients take to receive it.
const batch = { chunks: 64, bytes: 1024 * 1024 }

/**
 * Selects consecutive chunks of a log, from the one that contains row `from` up to row `to`: at most 1 MiB,
 * but at least one chunk.
 */
export function selectChunks(db: Db, taskId: number, from: number, to: number): Promise<Chunk[]> {
  const next = db
    .selectFrom('workflow_log_chunks')
    .selectAll()
    .select(sql<number>`sum(octet_length(content)) over (order by first_row)`.as('bytes'))
    .select(sql<number>`row_number() over (order by first_row)`.as('position'))
    .where('task_id', '=', taskId)
    .where('first_row', '>=', first =>
      first
        .selectFrom('workflow_log_chunks')
        .select(({ fn }) => fn.max('first_row').as('first'))
        .where('task_id', '=', taskId)
        .where('first_row', '<=', from),
    )
    .where('first_row', '<', to)
    .orderBy('first_row')
    .limit(batch.chunks)
  return db
    .selectFrom(next.as('next'))
    .select(['task_id', 'first_row', 'row_count', 'content'])
    .where(({ or, eb }) => or([eb('bytes', '<=', batch.bytes), eb('position', '=', 1)]))
    .orderBy('first_row')
    .execute()
}

export async function deleteChunks(trx: Transaction<Database>, taskId: number): Promise<void> {
  await trx.deleteFrom('workflow_log_chunks').where('task_id', '=', taskId).execute()
}

const storeBatch = 100

/**
 * Selects tasks with a complete log that is still in the database, oldest first, except the listed ones. A
 * log is complete if the runner said so, or if its task ended and was last reported about before
 * `silentSince`.
 */
export async function selectCompleteLogs(
  db: Db,
  silentSince: Date,
  except: readonly number[],
): Promise<number[]> {
  const tasks = await db
    .selectFrom('workflow_tasks')
    .select('id')
    .where('log_rows', '>', 0)
    .where('storage_key', 'is', null)
    .where(({ not, eb }) => not(eb('id', '=', anyOf(except))))
    .where(({ and, or, eb }) =>
      or([
        eb('log_sealed_at', 'is not', null),
        and([eb('ended_at', '<', silentSince), eb('reported_at', '<', silentSince)]),
      ]),
    )
    .orderBy('ended_at')
    .limit(storeBatch)
    .execute()
  return tasks.map(({ id }) => id)
}
