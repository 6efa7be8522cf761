import { originOf, recordEvent } from '@/server/events'
import type { UserCtx } from '@/server/kernel/ctx'
import { conflict, deleted, forbidden, unprocessable } from '@/server/kernel/errors'
import { variablesFor } from '@/server/secrets'
import { aboutRun, recordJobs } from './announce'
import { changeRun } from './change-run'
import { contextOfRun } from './github-context'
import { insertJobs, type JobRow, selectJobs } from './job-store'
import type { RunFor } from './load'
import { requireRunnable } from './policy'
import { jobOf } from './start-run'
import { findStart, insertAttempt, isDisabled, type RunRow } from './store'
import type { KnownJob } from './workflow/plan'
import { askThread } from './workflow/thread/ask'

/** Maximum number of attempts of a run; as on GitHub. */
export const maxAttempts = 50

/**
 * Starts the next attempt of a completed run. It reruns all jobs, the given ones, or those that failed or
 * were canceled, always with every job that needs one of them. All other jobs keep their result from the
 * earlier attempts. The workflow is planned again from the file of then, with the variables of now: names,
 * labels and conditions are evaluated anew, and matrices only if all jobs are rerun.
 * @throws {DomainError} forbidden if the repository is archived, actions are turned off there, or the workflow
 * is disabled; conflict if the run has not completed or is rerun concurrently; unprocessable if its workflow is
 * invalid, no job failed, or it has had too many attempts; notFound if a job is not part of the latest
 * attempt, or if the run is deleted or its repository transferred concurrently; tooManyRequests if too many
 * workflows are being read.
 */
export async function rerun(
  ctx: UserCtx,
  found: RunFor<'write'>,
  { jobs: which }: { jobs?: readonly number[] | 'failed' } = {},
): Promise<RunRow> {
  const { repository, run: before } = found
  requireRunnable(repository)
  requireCompleted(before)
  if (await isDisabled(ctx.db, before)) throw forbidden('The workflow is disabled.')
  const actor = ctx.caller.user
  const next = await planNext(ctx, found, which)
  return await changeRun(ctx, found, async (trx, run, now, locked) => {
    requireRunnable(locked)
    requireCompleted(run)
    if (run.attempt !== before.attempt) throw conflict('The run is being rerun already.')
    const attempt = await insertAttempt(trx, run, {
      ownerId: locked.owner_id,
      actor,
      isFull: which === undefined,
      vars: next.vars,
      concurrency: next.concurrency,
      now,
    })
    const inserted = await insertJobs(
      trx,
      next.jobs.map(job => jobOf(attempt, job, now)),
    )
    await recordEvent(trx, originOf(ctx), { kind: 'run.retried', ...aboutRun(repository, attempt) })
    // Jobs that can start are recorded as queued when `changeRun` releases them.
    const keys = new Set(inserted.map(job => job.job_key))
    const blocked = inserted.filter(({ needs }) => needs.some(key => keys.has(key)))
    await recordJobs(trx, ctx, repository, blocked)
    return attempt
  })
}

function requireCompleted({ status, error, attempt }: RunRow): void {
  if (status !== 'completed') throw conflict('The run has not completed.')
  if (error) throw unprocessable("This run's workflow is invalid. Fix it and start a new run.")
  if (attempt >= maxAttempts) throw unprocessable(`A run can have at most ${maxAttempts} attempts.`)
}

async function planNext(
  ctx: UserCtx,
  { repository, run }: RunFor<'write'>,
  which: readonly number[] | 'failed' | undefined,
) {
  const jobs = await selectJobs(ctx.db, run.id, run.attempt)
  const selected = which && withDependents(jobs, which === 'failed' ? failedOf(jobs) : which)
  const { document, payload } = await findStart(ctx.db, run.id)
  const vars = /\bvars\b/i.test(document) ? await variablesFor(ctx, repository) : {}
  const context = {
    ...contextOfRun({ ...run, attempt: run.attempt + 1 }),
    triggering_actor: ctx.caller.user.name,
  }
  const planned = await askThread(ctx, 'planAgain', {
    document,
    path: run.workflow_path,
    context,
    start: { payload, vars },
    ...(selected && { known: knownOf(jobs, selected) }),
  })
  return { ...planned, vars }
}

const knownOf = (jobs: readonly JobRow[], selected: readonly JobRow[]): KnownJob[] =>
  selected.map(({ job_key, matrix, position, template }) => {
    const same = jobs.filter(job => job.job_key === job_key)
    return {
      job_key,
      matrix: matrix as KnownJob['matrix'],
      index: same.findIndex(job => job.position === position),
      total: same.length,
      position,
      isUnexpanded: template?.strategy !== undefined,
    }
  })

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
