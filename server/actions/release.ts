import type { RunConclusion } from '@/db/tables/workflow-runs'
import { type Before, conclusionOf, groupByKey, type JobState, type RunsAfter, readBeforeOf } from './status'

// Each can take some milliseconds to judge.
const maxEvaluatedPerRound = 20

/**
 * Lets every waiting job go whose needs have all completed: to the queue, or to its end if it is skipped, which can let
 * others go in turn. Yields the jobs that it is about to judge, a few at a time, and returns those that changed.
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

/** Waiting jobs and what they wait for: each is looked at once, and not again with each other one that ends. */
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
    /** Those that nothing keeps anymore and that were not told of before. */
    free(): Job[] {
      const found = free
      free = []
      return found
    },
    before: (job: Job): Before | undefined => before(job),
    /** Notes that a job has ended. */
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
