import { originOf, recordEvent } from '@/server/events'
import { actingAccount } from '@/server/kernel/caller'
import type { ActingCtx } from '@/server/kernel/ctx'
import { conflict, forbidden, unprocessable } from '@/server/kernel/errors'
import { variablesFor } from '@/server/secrets'
import { aboutRun, recordJobs } from './announce'
import { selectCalled } from './called-jobs'
import { changeRun } from './change-run'
import { contextOfRun } from './github-context'
import { insertJobs, type JobRow, selectJobs } from './job-store'
import type { RunFor } from './load'
import { requireRunnable } from './policy'
import { plansGroups } from './run-plan'
import { selectForRerun } from './select-for-rerun'
import { jobOf } from './start-run'
import { scopedKey } from './status'
import { findStart, insertAttempt, isDisabled, markUsesGroups, type RunRow } from './store'
import type { NewJob } from './workflow/first-jobs'
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
  ctx: ActingCtx,
  found: RunFor<'write'>,
  { jobs: which }: { jobs?: readonly number[] | 'failed' } = {},
): Promise<RunRow> {
  const { repository, run: before } = found
  requireRunnable(repository)
  requireCompleted(before)
  if (await isDisabled(ctx.db, before)) throw forbidden('The workflow is disabled.')
  const actor = actingAccount(ctx.caller) ?? undefined
  const next = await planNext(ctx, found, which)
  // Set before anything is locked, because it decides how the repository is locked. Only runs from before there
  // were concurrency groups lack it.
  if (!before.uses_groups && plansGroups(next)) await markUsesGroups(ctx.db, before.id)
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
    const inserted = await insertJobs(trx, [
      ...next.jobs.map(job => jobOf(attempt, job, now)),
      ...next.reopened.map(job => reopenedRow(attempt, job, now)),
    ])
    await recordEvent(trx, originOf(ctx), { kind: 'run.retried', ...aboutRun(repository, attempt) })
    // Jobs that can start are recorded when `changeRun` releases them.
    const keys = new Set(inserted.map(job => scopedKey(job, job.job_key)))
    const isBlocked = (job: JobRow): boolean => job.needs.some(key => keys.has(scopedKey(job, key)))
    await recordJobs(trx, ctx, repository, inserted.filter(isBlocked))
    for (const job of inserted) if (!isBlocked(job)) locked.unrecorded.add(job.id)
    return attempt
  })
}

function requireCompleted({ status, error, attempt }: RunRow): void {
  if (status !== 'completed') throw conflict('The run has not completed.')
  if (error) throw unprocessable("This run's workflow is invalid. Fix it and start a new run.")
  if (attempt >= maxAttempts) throw unprocessable(`A run can have at most ${maxAttempts} attempts.`)
}

async function planNext(
  ctx: ActingCtx,
  { repository, run }: RunFor<'write'>,
  which: readonly number[] | 'failed' | undefined,
) {
  const jobs = await selectJobs(ctx.db, run.id, run.attempt)
  const { document, payload } = await findStart(ctx.db, run.id)
  const vars = await variablesFor(ctx, repository)
  const context = {
    ...contextOfRun({ ...run, attempt: run.attempt + 1 }),
    triggering_actor: actingAccount(ctx.caller)?.name ?? '',
  }
  const asked = { context, start: { payload, vars } }
  const own = { document, path: run.workflow_path, ...asked }
  if (!which) return { ...(await askThread(ctx, 'planAgain', own)), reopened: [], vars }
  const { again, reopened } = selectForRerun(jobs, which)
  const known = again.filter(({ workflow_id }) => workflow_id === null)
  const planned = await askThread(ctx, 'planAgain', { ...own, known: knownOf(jobs, known) })
  const called = await selectCalled(
    ctx.db,
    again.flatMap(({ workflow_id }) => workflow_id ?? []),
  )
  const inside: NewJob[] = []
  for (const { id, document, path } of called.values()) {
    const caller = jobs.find(({ called_id }) => called_id === id)
    const ofCall = again.filter(({ workflow_id }) => workflow_id === id)
    const inputs = caller?.call?.inputs ?? {}
    const known = knownOf(jobs, ofCall)
    const permissions = caller?.permissions ?? null
    const more = { document, path, ...asked, known, inputs, permissions, caller: caller?.name ?? '' }
    const found = await askThread(ctx, 'planAgain', more)
    const membership = { parent_position: caller?.position ?? null, workflow_id: id }
    inside.push(...found.jobs.map(job => ({ ...job, ...membership })))
  }
  const pinned = new Map(
    again.flatMap(({ position, called_id }) => (called_id ? [[position, called_id]] : [])),
  )
  const all = [...planned.jobs, ...inside].map(job => withPin(job, pinned.get(job.position)))
  return { ...planned, jobs: all, reopened, vars }
}

// A call whose inputs are not known yet is evaluated once more from its template.
function withPin(job: NewJob, pinned: number | undefined): NewJob {
  const { call, template } = job
  if (!call || pinned === undefined) return job
  return {
    ...job,
    call: { ...call, pinned },
    template: template?.call ? { ...template, call: { ...template.call, pinned } } : template,
  }
}

function knownOf(jobs: readonly JobRow[], selected: readonly JobRow[]): KnownJob[] {
  return selected.map(job => {
    const { job_key, matrix, position, template } = job
    const key = scopedKey(job, job_key)
    const same = jobs.filter(one => scopedKey(one, one.job_key) === key)
    return {
      job_key,
      matrix: matrix as KnownJob['matrix'],
      index: same.indexOf(job),
      total: same.length,
      position,
      isUnexpanded: template?.strategy !== undefined,
    }
  })
}

// A call of which only some jobs run again is open from the start, but asks for its concurrency groups again.
function reopenedRow(run: RunRow, { id: _, ...job }: JobRow, now: Date) {
  return {
    ...jobOf(run, { ...(job as unknown as NewJob), ...waiting }, now),
    started_at: null,
    output_bytes: 0,
  }
}

const waiting = {
  status: 'waiting',
  conclusion: null,
  hold: 'concurrency',
  end_reason: null,
  end_message: '',
  template: null,
} as const
