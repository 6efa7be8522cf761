import type { RunConclusion } from '@/db/tables/workflow-runs'
import { type Before, conclusionOf, groupByKey, type JobState, type RunsAfter, readBeforeOf } from './status'

// Evaluating one condition can take some milliseconds.
const maxEvaluatedPerRound = 20

/**
 * Releases every waiting job whose needs have all completed: a job that runs is queued, any other is skipped,
 * which can release more jobs. Yields the jobs whose conditions it is about to evaluate, a few at a time, and
 * returns the changed jobs.
 */
export function* releaseInRounds<Job extends JobState>(
  jobs: readonly Job[],
  runs: RunsAfter<Job>,
): Generator<Job[], Job[]> {
  const changed: Job[] = []
  const line = createLine(jobs)
  for (let round = line.free(); round.length > 0; round = line.free()) {
    for (let at = 0; at < round.length; at += maxEvaluatedPerRound) {
      const evaluated = round.slice(at, at + maxEvaluatedPerRound)
      yield evaluated
      for (const job of evaluated) {
        const isRun = runs(job, line.before(job))
        if (isRun) changed.push({ ...job, status: 'queued' })
        else {
          const skipped = { ...job, status: 'completed', conclusion: 'skipped' } as const
          changed.push(skipped)
          line.end(job, skipped)
        }
      }
    }
  }
  return changed
}

/**
 * Tracks which waiting jobs have no open needs left, with constant work per dependency however many jobs
 * complete.
 */
function createLine<Job extends JobState>(jobs: readonly Job[]) {
  const groups = groupByKey(jobs)
  const open = new Map([...groups].map(([key, same]) => [key, same.filter(isOpen).length]))
  const results = new Map<string, RunConclusion>()
  const before = readBeforeOf(jobs, results)
  const dependents = new Map<string, Job[]>()
  const missing = new Map<Job, number>()
  let free: Job[] = []
  for (const job of jobs) {
    if (job.status !== 'waiting') continue
    const needs = new Set(job.needs)
    missing.set(job, needs.size)
    for (const key of needs) {
      const found = dependents.get(key)
      if (found) found.push(job)
      else dependents.set(key, [job])
    }
    if (needs.size === 0) free.push(job)
  }
  const settle = (key: string): void => {
    const conclusion = conclusionOf(groups.get(key) ?? [])
    if (!conclusion) return
    results.set(key, conclusion)
    for (const job of dependents.get(key) ?? []) {
      const left = (missing.get(job) ?? 0) - 1
      missing.set(job, left)
      if (left === 0) free.push(job)
    }
  }
  for (const [key, count] of open) if (count === 0) settle(key)
  return {
    /** Returns the jobs that have become free since the last call. */
    free(): Job[] {
      const found = free
      free = []
      return found
    },
    before: (job: Job): Before | undefined => before(job),
    /** Records that a job has completed. */
    end(job: Job, ended: Job): void {
      const same = groups.get(job.job_key) ?? []
      same[same.indexOf(job)] = ended
      const left = (open.get(job.job_key) ?? 0) - 1
      open.set(job.job_key, left)
      if (left === 0) settle(job.job_key)
    },
  }
}

const isOpen = ({ status }: JobState): boolean => status !== 'completed'
