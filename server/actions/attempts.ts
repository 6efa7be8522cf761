import { originOf, recordEvent } from '@/server/events'
import { actingAccount } from '@/server/kernel/caller'
import type { ActingCtx } from '@/server/kernel/ctx'
import { conflict, deleted, unprocessable } from '@/server/kernel/errors'
import { aboutRun, recordJobs } from './announce'
import { changeRun } from './change-run'
import { insertJobs, type JobRow, selectJobs } from './job-store'
import type { RunFor } from './load'
import { requireRunnable } from './policy'
import { jobOf } from './start-run'
import { insertAttempt, type RunRow } from './store'

/**
 * Starts the next attempt of a completed run. It reruns all jobs, the given ones, or those that failed or
 * were canceled, always with every job that needs one of them. All other jobs keep their result from the
 * earlier attempts.
 * @throws {DomainError} forbidden if the repository is archived or actions are turned off there; conflict if
 * the run has not completed; unprocessable if its workflow is invalid or no job failed; notFound if a job is
 * not part of the latest attempt, or if the run is deleted or its repository transferred concurrently.
 */
export async function rerun(
  ctx: ActingCtx,
  found: RunFor<'write'>,
  { jobs: which }: { jobs?: readonly number[] | 'failed' } = {},
): Promise<RunRow> {
  return await changeRun(ctx, found, async (trx, run, now, locked) => {
    requireRunnable(locked)
    if (run.status !== 'completed') throw conflict('The run has not completed.')
    if (run.error) throw unprocessable("This run's workflow is invalid. Fix it and start a new run.")
    const jobs = await selectJobs(trx, run.id, run.attempt)
    const selected = which ? withDependents(jobs, which === 'failed' ? failedOf(jobs) : which) : jobs
    const next = await insertAttempt(trx, run, {
      ownerId: locked.owner_id,
      actorId: actingAccount(ctx.caller)?.id ?? null,
      now,
    })
    const inserted = await insertJobs(
      trx,
      selected.map(
        ({ job_key, matrix, name, needs, labels, condition, continue_on_error, permissions, position }) => {
          const planned = {
            job_key,
            matrix,
            name,
            needs,
            labels,
            condition,
            continue_on_error,
            permissions,
            position,
          }
          return jobOf(next, { ...planned, status: 'waiting', conclusion: null }, now)
        },
      ),
    )
    await recordEvent(trx, originOf(ctx), { kind: 'run.retried', ...aboutRun(found.repository, next) })
    // Jobs that can start are recorded as queued when `changeRun` releases them.
    const keys = new Set(selected.map(job => job.job_key))
    const blocked = inserted.filter(({ needs }) => needs.some(key => keys.has(key)))
    await recordJobs(trx, ctx, found.repository, blocked)
    return next
  })
}

function failedOf(jobs: readonly JobRow[]): number[] {
  const failed = jobs.filter(({ conclusion }) => conclusion === 'failure' || conclusion === 'cancelled')
  if (failed.length === 0) throw unprocessable('No jobs in this run failed or were canceled.')
  return failed.map(({ id }) => id)
}

function withDependents(jobs: readonly JobRow[], ids: readonly number[]): JobRow[] {
  const selected = new Set<JobRow>()
  const keys = new Set<string>()
  for (const id of ids) {
    const job = jobs.find(each => each.id === id)
    if (!job) throw deleted('job')
    selected.add(job)
    keys.add(job.job_key)
  }
  for (let before = -1; before < selected.size; ) {
    before = selected.size
    for (const job of jobs) {
      if (selected.has(job) || !job.needs.some(key => keys.has(key))) continue
      selected.add(job)
      keys.add(job.job_key)
    }
  }
  return jobs.filter(job => selected.has(job))
}
