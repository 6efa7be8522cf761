import { decisionsOf, type RunFacts, type Start } from '../condition'
import type { JobRow } from '../job-store'
import { releaseInRounds } from '../release'
import { readsRun } from './later'
import type { ResolvedJob } from './resolve-job'

/** Job as planned from the workflow: one for each combination of its matrix. */
export interface PlannedJob
  extends Pick<JobRow, 'job_key' | 'needs' | 'condition' | 'position' | 'permissions'>,
    ResolvedJob {}

export type NewJob = PlannedJob &
  Pick<JobRow, 'status' | 'conclusion' | 'hold' | 'end_reason' | 'end_message'> & {
    /** Position of the job that calls the workflow; absent for the run's own jobs. */
    parent_position?: number | null
    /** Workflow that the job has called in an earlier attempt. */
    called_id?: number | null
  }

/**
 * Returns the jobs of a new run with their first status: some are queued, some wait, and some are skipped.
 * Jobs that need the ID or number of the run, or a concurrency group, and calls of other workflows wait.
 */
export function firstJobs(jobs: readonly PlannedJob[], run: RunFacts, start: Partial<Start>): NewJob[] {
  const waiting = jobs.map(waitingJob)
  const decide = decisionsOf(run, start)
  const rounds = releaseInRounds(waiting, (job, before) =>
    job.template || job.concurrency || job.call || readsRun(job.condition) ? 'later' : decide(job, before),
  )
  let round = rounds.next()
  while (!round.done) round = rounds.next()
  const byPosition = new Map(round.value.changed.map(job => [job.position, job]))
  return waiting.map(job => byPosition.get(job.position) ?? job)
}

/** Returns a planned job that waits. */
export const waitingJob = (job: PlannedJob): NewJob => ({
  ...job,
  status: 'waiting',
  conclusion: null,
  hold: null,
  end_reason: null,
  end_message: '',
})
