import type { RunConclusion } from '@/db/tables/workflow-runs'
import type { JobRow } from './job-store'
import type { Progress } from './store'

/** What the status of a job depends on. */
export type JobState = Pick<
  JobRow,
  'job_key' | 'needs' | 'condition' | 'continue_on_error' | 'status' | 'conclusion'
>

/** How jobs have ended, by their ids in the workflow. */
export type Results = ReadonlyMap<string, RunConclusion>

/** How the jobs before a job have ended. */
export interface Before {
  /** Those that it needs itself. */
  results: Results
  /** Whether all before it did, also those that it needs through others. */
  haveSucceeded: boolean
  /** Whether any of them did. */
  haveFailed: boolean
}

/**
 * Decides whether a job runs, once all before it have completed. While they have not, whether it may: it does not depend
 * on them that it does not.
 */
export type RunsAfter<Job> = (job: Job, before: Before | undefined) => boolean

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

/** Null while one of them is open. A failure that is allowed for counts as on GitHub. */
export function conclusionOf(jobs: readonly JobState[]): RunConclusion | null {
  if (jobs.some(({ status }) => status !== 'completed')) return null
  const conclusions = jobs.map(({ conclusion, continue_on_error }) =>
    conclusion === 'failure' && continue_on_error ? 'success' : conclusion,
  )
  if (conclusions.includes('failure')) return 'failure'
  if (conclusions.includes('cancelled')) return 'cancelled'
  return conclusions.includes('success') ? 'success' : 'skipped'
}

/** How jobs have ended, by their ids in the workflow: all jobs of a matrix share one, once the last has completed. */
export function resultsOf(jobs: readonly JobState[]): Results {
  const results = new Map<string, RunConclusion>()
  for (const [key, same] of groupByKey(jobs)) {
    const conclusion = conclusionOf(same)
    if (conclusion) results.set(key, conclusion)
  }
  return results
}

/** Jobs by their ids in the workflow: all jobs of a matrix share one. */
export function groupByKey<Job extends JobState>(jobs: readonly Job[]): Map<string, Job[]> {
  const byKey = new Map<string, Job[]>()
  for (const job of jobs) {
    const same = byKey.get(job.job_key)
    if (same) same.push(job)
    else byKey.set(job.job_key, [job])
  }
  return byKey
}

/** Tells of any of these jobs how those before it have ended; undefined while one of them has not. */
export function readBefore(jobs: readonly JobState[]): (job: JobState) => Before | undefined {
  return readBeforeOf(jobs, resultsOf(jobs))
}

/** As `readBefore`, with results that can become more: nothing is told of a job before those of all before it are there. */
export function readBeforeOf(
  jobs: readonly JobState[],
  results: Results,
): (job: JobState) => Before | undefined {
  const needsOf = new Map(jobs.map(({ job_key, needs }) => [job_key, needs]))
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
  return ({ needs }) => {
    const ended = needs.flatMap(key => {
      const result = results.get(key)
      return result ? [[key, result] as const] : []
    })
    return ended.length < needs.length ? undefined : { results: new Map(ended), ...beforeAll(needs) }
  }
}
