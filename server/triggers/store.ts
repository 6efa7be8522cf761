import type { Selectable, Transaction } from 'kysely'
import type { Db } from '@/db/client'
import { affectedRows } from '@/db/sql'
import type { Database } from '@/db/tables'
import type { WorkflowSchedulesTable } from '@/db/tables/workflow-triggers'

/** Selects the file names of a repository's disabled workflows. */
export async function selectDisabled(db: Db, repositoryId: number): Promise<Set<string>> {
  const rows = await db
    .selectFrom('disabled_workflows')
    .select('file')
    .where('repository_id', '=', repositoryId)
    .execute()
  return new Set(rows.map(({ file }) => file))
}

export async function insertDisabled(db: Db, repositoryId: number, file: string): Promise<boolean> {
  const inserted = await db
    .insertInto('disabled_workflows')
    .values({ repository_id: repositoryId, file })
    .onConflict(conflict => conflict.doNothing())
    .returning('file')
    .executeTakeFirst()
  return inserted !== undefined
}

export async function deleteDisabled(db: Db, repositoryId: number, file: string): Promise<boolean> {
  const deleted = await db
    .deleteFrom('disabled_workflows')
    .where('repository_id', '=', repositoryId)
    .where('file', '=', file)
    .returning('file')
    .executeTakeFirst()
  return deleted !== undefined
}

export type Schedule = Selectable<WorkflowSchedulesTable>

export function selectSchedules(db: Db, repositoryId: number): Promise<Schedule[]> {
  return db.selectFrom('workflow_schedules').selectAll().where('repository_id', '=', repositoryId).execute()
}

/**
 * Returns whether a repository has no schedules, and it is already recorded whether its workflows may follow runs of
 * others.
 */
export async function hasNoSchedules(db: Db, repositoryId: number, followsRuns: boolean): Promise<boolean> {
  const row = await db
    .selectFrom('repositories')
    .select('id')
    .where('id', '=', repositoryId)
    .where('follows_runs', '=', followsRuns)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('workflow_schedules')
            .select('repository_id')
            .whereRef('repository_id', '=', 'repositories.id'),
        ),
      ),
    )
    .executeTakeFirst()
  return row !== undefined
}

/** Records whether workflows of a repository's default branch may follow runs of others. */
export async function updateFollowsRuns(
  trx: Transaction<Database>,
  repositoryId: number,
  follows: boolean,
): Promise<void> {
  await trx
    .updateTable('repositories')
    .set({ follows_runs: follows })
    .where('id', '=', repositoryId)
    .where('follows_runs', '<>', follows)
    .execute()
}

const dueBatch = 500

/** Selects the schedules that are due, the longest overdue first. */
export function selectDueSchedules(db: Db, now: Date): Promise<Schedule[]> {
  return db
    .selectFrom('workflow_schedules')
    .selectAll()
    .where('next_at', '<=', now)
    .orderBy('next_at')
    .limit(dueBatch)
    .execute()
}

export async function insertSchedules(
  trx: Transaction<Database>,
  schedules: readonly Schedule[],
): Promise<void> {
  if (schedules.length === 0) return
  await trx
    .insertInto('workflow_schedules')
    .values([...schedules])
    .onConflict(conflict => conflict.doNothing())
    .execute()
}

/**
 * Sets the next time of a schedule. Returns false if another process did so first, or if the schedule was
 * deleted.
 */
export async function advanceSchedule(
  trx: Transaction<Database>,
  schedule: Schedule,
  next: Date,
): Promise<boolean> {
  const { repository_id, workflow_path, cron, timezone, next_at } = schedule
  const result = await trx
    .updateTable('workflow_schedules')
    .set({ next_at: next })
    .where(eb => eb.and({ repository_id, workflow_path, cron, timezone, next_at }))
    .executeTakeFirst()
  return affectedRows(result) > 0
}

/** Deletes schedules. Returns false if none of them existed. */
export async function deleteSchedules(
  trx: Transaction<Database>,
  schedules: readonly Schedule[],
): Promise<boolean> {
  let count = 0
  for (const { repository_id, workflow_path, cron, timezone } of schedules) {
    const result = await trx
      .deleteFrom('workflow_schedules')
      .where(eb => eb.and({ repository_id, workflow_path, cron, timezone }))
      .executeTakeFirst()
    count += Number(result.numDeletedRows)
  }
  return count > 0
}

/**
 * Returns the time at which the run started that, of the runs of a repository that an event started, is at this
 * position from the newest, which is at 1; undefined if there are fewer.
 */
export async function startOfRun(
  db: Db,
  repositoryId: number,
  event: string,
  position: number,
): Promise<Date | undefined> {
  const found = await db
    .selectFrom('workflow_runs')
    .select('created_at')
    .where('repository_id', '=', repositoryId)
    .where('event', '=', event)
    .orderBy('id', 'desc')
    .offset(position - 1)
    .limit(1)
    .executeTakeFirst()
  return found?.created_at
}
