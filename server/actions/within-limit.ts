import type { Releasable, Released } from './release'
import { groupByKey, scopedKey } from './status'
import { maxJobs } from './workflow/run-limits'

/** Fails those matrices that were expanded with which a run, which has these jobs, would have too many jobs, as the jobs that they were. */
export function withinLimit<Job extends Releasable>(
  jobs: readonly Job[],
  { changed, added }: Released<Job>,
): Released<Job> {
  const tooLarge = new Set<string>()
  let left = maxJobs - jobs.length
  for (const [key, more] of groupByKey(added)) {
    if (more.length > left) tooLarge.add(key)
    else left -= more.length
  }
  const before = new Map(jobs.map(job => [job.position, job]))
  const isTooLarge = (job: Job): boolean => tooLarge.has(scopedKey(job, job.job_key))
  return {
    changed: changed.map(job =>
      isTooLarge(job) ? { ...(before.get(job.position) ?? job), ...failed } : job,
    ),
    added: added.filter(job => !isTooLarge(job)),
  }
}

const failed = {
  status: 'completed',
  conclusion: 'failure',
  hold: null,
  end_reason: 'evaluation',
  end_message: `The run would have more than ${maxJobs} jobs.`,
} as const
