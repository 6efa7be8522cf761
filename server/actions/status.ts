import type { RunConclusion } from '@/db/tables/workflow-runs'
import type { JobRow } from './job-store'
import type { Progress } from './store'

/** Fields of a job that its status depends on. */
export type JobState = Pick<
  JobRow,
  'job_key' | 'needs' | 'condition' | 'continue_on_error' | 'status' | 'conclusion'
> &
  Partial<Pick<JobRow, 'matrix' | 'hold' | 'max_parallel' | 'parent_position' | 'called_id'>>

/**
 * Returns the key of a job ID in the workflow of a job: a reusable workflow that the run calls has job IDs of
 * its own.
 */
export const scopedKey = ({ parent_position }: Pick<JobState, 'parent_position'>, key: string): string =>
  typeof parent_position === 'number' ? `${parent_position} ${key}` : key

/** Conclusions of completed jobs, by job ID in the workflow. */
export type Results = ReadonlyMap<string, RunConclusion>

/** Outcomes of the jobs that run before a job. */
export interface Before {
  /** Conclusions of the jobs that the job needs directly. */
  results: Results
  /** Whether all jobs before it succeeded, including those that it needs indirectly. */
  haveSucceeded: boolean
  /** Whether any of the jobs before it failed. */
  haveFailed: boolean
}

/** Computes the progress of a run with these jobs, some of which earlier attempts may have run. */
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

/**
 * Returns the combined conclusion of jobs; null while one of them is open. As on GitHub, a failure of a job
 * with `continue-on-error` counts as a success.
 */
export function conclusionOf(jobs: readonly JobState[]): RunConclusion | null {
  if (jobs.some(({ status }) => status !== 'completed')) return null
  const conclusions = jobs.map(({ conclusion, continue_on_error }) =>
    conclusion === 'failure' && continue_on_error ? 'success' : conclusion,
  )
  if (conclusions.includes('failure')) return 'failure'
  if (conclusions.includes('cancelled')) return 'cancelled'
  return conclusions.includes('success') ? 'success' : 'skipped'
}

/**
 * Returns the conclusions of completed jobs, by scoped key. The jobs of a matrix share one conclusion once all
 * of them have completed.
 */
export function resultsOf(jobs: readonly JobState[]): Results {
  const results = new Map<string, RunConclusion>()
  for (const [key, same] of groupByKey(jobs)) {
    const conclusion = conclusionOf(same)
    if (conclusion) results.set(key, conclusion)
  }
  return results
}

/** Groups jobs by their scoped key, which the jobs of a matrix share. */
export function groupByKey<Job extends JobState>(jobs: readonly Job[]): Map<string, Job[]> {
  const byKey = new Map<string, Job[]>()
  for (const job of jobs) {
    const key = scopedKey(job, job.job_key)
    const same = byKey.get(key)
    if (same) same.push(job)
    else byKey.set(key, [job])
  }
  return byKey
}

/**
 * Returns a function that computes the outcomes of the jobs before one of these jobs; undefined while a
 * needed job is open.
 */
export function readBefore(jobs: readonly JobState[]): (job: JobState) => Before | undefined {
  return readBeforeOf(jobs, resultsOf(jobs))
}

/**
 * Like `readBefore`, but reads conclusions by scoped key from a map that can grow later. For each job, the outcomes are
 * undefined until the map has the conclusions of all jobs that it needs.
 */
export function readBeforeOf(
  jobs: readonly JobState[],
  results: Results,
): (job: JobState) => Before | undefined {
  const scoped = (job: JobState): string[] => job.needs.map(key => scopedKey(job, key))
  const needsOf = new Map(jobs.map(job => [scopedKey(job, job.job_key), scoped(job)]))
  const known = new Map<string, Omit<Before, 'results'>>()
  const upTo = (key: string): Omit<Before, 'results'> => {
    const found = known.get(key)
    if (found) return found
    const result = results.get(key)
    const { haveSucceeded, haveFailed } = beforeAll(needsOf.get(key) ?? [])
    const made = {
      haveSucceeded: haveSucceeded && result === 'success',
      haveFailed: haveFailed || result === 'failure',
    }
    known.set(key, made)
    return made
  }
  const beforeAll = (needs: readonly string[]): Omit<Before, 'results'> => {
    const all = needs.map(upTo)
    return {
      haveSucceeded: all.every(({ haveSucceeded }) => haveSucceeded),
      haveFailed: all.some(({ haveFailed }) => haveFailed),
    }
  }
  return job => {
    const { needs } = job
    const ended = needs.flatMap(key => {
      const result = results.get(scopedKey(job, key))
      return result ? [[key, result] as const] : []
    })
    return ended.length < needs.length ? undefined : { results: new Map(ended), ...beforeAll(scoped(job)) }
  }
}
