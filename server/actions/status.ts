import type { RunConclusion } from '@/db/tables/workflow-runs'
import type { JobRow } from './job-store'
import type { Progress } from './store'

/** What the status of a job depends on. */
export type JobState = Pick<JobRow, 'job_key' | 'needs' | 'condition' | 'status' | 'conclusion'>

/** How the jobs that a job needs have ended, by their ids in the workflow. */
export type NeedResults = ReadonlyMap<string, RunConclusion>

/** Decides whether a job runs once all jobs that it needs have completed. */
export type RunsAfter<Job> = (job: Job, results: NeedResults) => boolean

/** A waiting job whose needs have all completed, and how those ended. */
export interface FreeJob<Job> {
  job: Job
  results: NeedResults
}

/**
 * Lets every waiting job go whose needs have all completed: to the queue, or to its end if it is skipped, which can let
 * others go in turn. Yields the jobs that it is about to judge, and returns those that changed.
 */
export function* releaseInRounds<Job extends JobState>(
  jobs: readonly Job[],
  runs: RunsAfter<Job>,
): Generator<FreeJob<Job>[], Job[]> {
  const changed: Job[] = []
  let waiting = jobs.filter(({ status }) => status === 'waiting')
  let settled = jobs.filter(({ status }) => status !== 'waiting')
  for (;;) {
    const results = resultsOf([...waiting, ...settled])
    const free = waiting
      .filter(({ needs }) => needs.every(key => results.has(key)))
      .map(job => ({ job, results: resultsFor(job, results) }))
    if (free.length === 0) return changed
    yield free
    const released = free.map(({ job, results }) =>
      runs(job, results)
        ? { ...job, status: 'queued' as const }
        : { ...job, status: 'completed' as const, conclusion: 'skipped' as const },
    )
    changed.push(...released)
    settled = [...settled, ...released]
    const gone = new Set<JobState>(free.map(({ job }) => job))
    waiting = waiting.filter(job => !gone.has(job))
  }
}

/** The status of a run with these jobs, some of which earlier attempts may have run. */
export function progressOf(
  jobs: readonly JobState[],
  now: Date,
  before: Pick<Progress, 'started_at' | 'completed_at'> = { started_at: null, completed_at: null },
): Progress {
  const hasBegun = before.started_at !== null || jobs.some(({ status }) => status === 'in_progress')
  const started_at = before.started_at ?? (hasBegun ? now : null)
  const conclusion = conclusionOf(jobs)
  if (conclusion)
    return { status: 'completed', conclusion, started_at, completed_at: before.completed_at ?? now }
  const isQueued = jobs.some(({ status }) => status === 'queued')
  const status = hasBegun ? 'in_progress' : isQueued ? 'queued' : 'waiting'
  return { status, conclusion: null, started_at, completed_at: null }
}

// Null while one of them is open.
function conclusionOf(jobs: readonly Pick<JobState, 'status' | 'conclusion'>[]): RunConclusion | null {
  if (jobs.some(({ status }) => status !== 'completed')) return null
  const conclusions = jobs.map(job => job.conclusion)
  if (conclusions.includes('failure')) return 'failure'
  if (conclusions.includes('cancelled')) return 'cancelled'
  return conclusions.includes('success') ? 'success' : 'skipped'
}

/** How jobs have ended, by their ids in the workflow: all jobs of a matrix share one, once the last has completed. */
export function resultsOf(jobs: readonly JobState[]): NeedResults {
  const byKey = new Map<string, JobState[]>()
  for (const job of jobs) {
    const same = byKey.get(job.job_key)
    if (same) same.push(job)
    else byKey.set(job.job_key, [job])
  }
  const results = new Map<string, RunConclusion>()
  for (const [key, same] of byKey) {
    const conclusion = conclusionOf(same)
    if (conclusion) results.set(key, conclusion)
  }
  return results
}

const resultsFor = ({ needs }: JobState, results: NeedResults): NeedResults =>
  new Map(needs.flatMap(key => [[key, results.get(key) ?? 'skipped'] as const]))
