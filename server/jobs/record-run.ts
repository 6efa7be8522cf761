import type { Db } from '@/db/client'
import type { JobOutcome } from '@/db/tables/job-runs'
import { shortened } from '@/server/kernel/describe-failure'

export interface JobRun {
  job: string
  started_at: Date
  ended_at: Date
  outcome: JobOutcome
  /** Result or failure in one line; see `describeResult` and `describeFailure`. */
  message: string
}

/** Number of runs that are kept for each job. */
const kept = 50

/** Stores the outcome of a background job's run, and deletes the job's runs beyond the last 50. */
export async function recordRun(db: Db, run: JobRun): Promise<void> {
  await db
    .with('added', query => query.insertInto('job_runs').values(run))
    .deleteFrom('job_runs')
    .where('job', '=', run.job)
    // The statement does not see the row that it inserts, so one row fewer is skipped.
    .where('id', '<=', query =>
      query
        .selectFrom('job_runs')
        .select('id')
        .where('job', '=', run.job)
        .orderBy('id', 'desc')
        .limit(1)
        .offset(kept - 1),
    )
    .execute()
}

/** Summarizes the result of a run in one line, such as `expired 3, abandoned 0`. */
export function describeResult(result: unknown): string {
  if (typeof result === 'number') return String(result)
  if (typeof result !== 'object' || result === null) return ''
  const counts = Object.entries(result).filter(([, value]) => typeof value === 'number')
  return shortened(counts.map(([name, value]) => `${name} ${value}`).join(', '))
}
