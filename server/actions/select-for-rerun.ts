import { deleted, unprocessable } from '@/server/kernel/errors'
import { callersOf } from './called-jobs'
import type { JobRow } from './job-store'
import { scopedKey } from './status'

/** Jobs of a run for another attempt. */
export interface RerunSelection {
  /** Jobs to run again. A call among them calls its workflow again, in the same version. */
  again: JobRow[]
  /** Calls of workflows of which only some jobs run again. */
  reopened: JobRow[]
}

/**
 * Selects these jobs of a run, or those that failed or were canceled, with every job that needs one of them.
 * @throws {DomainError} notFound if a job is not among those of the run; unprocessable if none failed.
 */
export function selectForRerun(jobs: readonly JobRow[], which: readonly number[] | 'failed'): RerunSelection {
  const again = new Set<JobRow>()
  const reopened = new Set<JobRow>()
  const keys = new Set<string>()
  const add = (job: JobRow): void => {
    again.add(job)
    keys.add(scopedKey(job, job.job_key))
    for (const caller of callersOf(jobs, job)) {
      reopened.add(caller)
      keys.add(scopedKey(caller, caller.job_key))
    }
  }
  for (const id of which === 'failed' ? failedOf(jobs) : which) {
    const job = jobs.find(each => each.id === id)
    if (!job) throw deleted('job')
    add(job)
  }
  for (let before = -1; before < again.size; ) {
    before = again.size
    for (const job of jobs)
      if (!again.has(job) && job.needs.some(key => keys.has(scopedKey(job, key)))) add(job)
  }
  const isInside = (job: JobRow): boolean => callersOf(jobs, job).some(caller => again.has(caller))
  return {
    again: jobs.filter(job => again.has(job) && !isInside(job)),
    reopened: jobs.filter(job => reopened.has(job) && !again.has(job) && !isInside(job)),
  }
}

function failedOf(jobs: readonly JobRow[]): number[] {
  const failed = jobs.filter(({ conclusion }) => conclusion === 'failure' || conclusion === 'cancelled')
  if (failed.length === 0) throw unprocessable('No jobs in this run failed or were canceled.')
  // A call failed because of jobs of its workflow, unless none of these failed.
  const callers = new Set(failed.flatMap(job => callersOf(jobs, job).map(({ id }) => id)))
  return failed.map(({ id }) => id).filter(id => !callers.has(id))
}
