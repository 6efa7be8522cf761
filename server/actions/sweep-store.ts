import type { Db } from '@/db/client'
import { type TaskRow, taskColumns } from './job-store'

/** Run with a job or task that is overdue. */
export interface Overdue {
  run_id: number
  repository_id: number
  owner_id: number
}

/** Task whose end its runner may never report. */
export type OverdueTask = Overdue &
  TaskRow & {
    /** Time of the runner's last call of any kind. */
    last_online_at: Date | null
  }

interface Limits {
  now: Date
  silent: Date
  stopping: Date
  unacknowledged: Date
  zombie: Date
  endless: Date
}

const sweepBatch = 1000

/**
 * Selects tasks that have passed one of the time limits, those without a report for the longest time first.
 */
export function selectOverdueTasks(
  db: Db,
  { now, silent, stopping, unacknowledged, zombie, endless }: Limits,
): Promise<OverdueTask[]> {
  return db
    .selectFrom('workflow_tasks')
    .innerJoin('repositories', 'repositories.id', 'workflow_tasks.repository_id')
    .leftJoin('runners', 'runners.id', 'workflow_tasks.runner_id')
    .select([...taskColumns, 'repositories.owner_id', 'runners.last_online_at'])
    .where('workflow_tasks.status', '<>', 'ended')
    .where(({ eb, or, and, not }) => {
      const isOfRunner = or([eb('runner_id', 'is not', null), eb('runner_name', '<>', '')])
      const isCanceling = eb('workflow_tasks.status', '=', 'cancelling')
      return or([
        eb('expires_at', '<', now),
        and([
          isOfRunner,
          or([
            and([isCanceling, eb('reported_at', '<', silent), eb('cancelled_at', '<', silent)]),
            and([isCanceling, eb('cancelled_at', '<', stopping)]),
            and([
              not(isCanceling),
              or([
                eb('reported_at', '<', zombie),
                eb('started_at', '<', endless),
                and([eb('acknowledged_at', 'is', null), eb('started_at', '<', unacknowledged)]),
              ]),
            ]),
          ]),
        ]),
      ])
    })
    .orderBy('reported_at')
    .limit(sweepBatch)
    .execute()
}

/** Returns the number of runners that have tasks, and the time of the last call of any runner. */
export async function findHearing(db: Db): Promise<{ busy: number; heardAt: Date | null }> {
  return await db
    .selectNoFrom(eb => [
      eb
        .selectFrom('workflow_tasks')
        .select(({ fn }) => fn.count<number>('runner_id').distinct().as('count'))
        .where('status', '<>', 'ended')
        .$asScalar()
        .$notNull()
        .as('busy'),
      eb
        .selectFrom('runners')
        .select('last_online_at')
        .orderBy('last_online_at', order => order.desc().nullsLast())
        .limit(1)
        .as('heardAt'),
    ])
    .executeTakeFirstOrThrow()
}

/** Selects runs whose latest attempt started before the given time and has not ended. */
export function selectEndless(db: Db, before: Date): Promise<Overdue[]> {
  return db
    .selectFrom('workflow_runs')
    .innerJoin('repositories', 'repositories.id', 'workflow_runs.repository_id')
    .innerJoin('workflow_run_attempts', join =>
      join
        .onRef('workflow_run_attempts.run_id', '=', 'workflow_runs.id')
        .onRef('workflow_run_attempts.number', '=', 'workflow_runs.attempt'),
    )
    .select(['workflow_runs.id as run_id', 'workflow_runs.repository_id', 'repositories.owner_id'])
    .where('workflow_runs.status', '<>', 'completed')
    .where('workflow_run_attempts.created_at', '<', before)
    .orderBy('workflow_runs.id')
    .limit(sweepBatch)
    .execute()
}

/** Selects runs with jobs that were queued before the given time and that no runner has taken. */
export function selectUnclaimed(db: Db, before: Date): Promise<Overdue[]> {
  return db
    .selectFrom(
      db
        .selectFrom('workflow_jobs')
        .select(['run_id', 'repository_id'])
        .where('status', '=', 'queued')
        .where('queued_at', '<', before)
        .orderBy('queued_at')
        .orderBy('id')
        .limit(sweepBatch)
        .as('jobs'),
    )
    .innerJoin('repositories', 'repositories.id', 'jobs.repository_id')
    .select(['jobs.run_id', 'jobs.repository_id', 'repositories.owner_id'])
    .distinct()
    .execute()
}

/** Selects the IDs of a run's jobs that are still queued since before the given time. */
export async function selectUnclaimedOf(db: Db, runId: number, before: Date): Promise<number[]> {
  const jobs = await db
    .selectFrom('workflow_jobs')
    .select('id')
    .where('run_id', '=', runId)
    .where('status', '=', 'queued')
    .where('queued_at', '<', before)
    .execute()
  return jobs.map(({ id }) => id)
}
