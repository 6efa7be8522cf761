import { conditionsOf, type Start } from '../condition'
import type { JobRow } from '../job-store'
import { releaseInRounds } from '../release'

/** Job as planned from the workflow: one for each combination of its matrix. */
export type PlannedJob = Pick<
  JobRow,
  'job_key' | 'matrix' | 'name' | 'needs' | 'labels' | 'condition' | 'continue_on_error' | 'permissions'
>

export type NewJob = PlannedJob & Pick<JobRow, 'position' | 'status' | 'conclusion'>

/**
 * Returns the jobs of a new run with their first status: some are queued, some wait, and some are skipped.
 */
export function firstJobs(
  jobs: readonly PlannedJob[],
  run: Parameters<typeof conditionsOf>[0],
  start: Partial<Start>,
): NewJob[] {
  const waiting = jobs.map(
    (job, position): NewJob => ({ ...job, position, status: 'waiting', conclusion: null }),
  )
  const rounds = releaseInRounds(waiting, conditionsOf(run, start))
  let round = rounds.next()
  while (!round.done) round = rounds.next()
  const byPosition = new Map(round.value.map(job => [job.position, job]))
  return waiting.map(job => byPosition.get(job.position) ?? job)
}
