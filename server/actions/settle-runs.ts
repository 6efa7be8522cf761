import type { Transaction } from 'kysely'
import type { Database } from '@/db/tables'
import { announce } from '@/server/events'
import { createPauses } from '@/server/kernel/pauses'
import { announceRun, recordJobs, recordProgress } from './announce'
import { callersOf, leavesOf, settleCallers } from './called-jobs'
import { cancelJobs } from './cancel-jobs'
import { changeJobs, endJobs, type RunChange } from './change-jobs'
import { enterGroup, leaveGroups } from './concurrency'
import { selectMembersOfRun } from './concurrency-store'
import { createConditions } from './evaluate-conditions'
import { findOpenStatus, insertJobs, type JobRow, lockOpenTasks, selectJobs, updateJobs } from './job-store'
import { type Released, releaseInRounds } from './release'
import { progressOf, scopedKey } from './status'
import { lockRun, type RunRow, updateProgress } from './store'
import { maxJobs } from './workflow/run-limits'

/**
 * Brings runs up to date after a change of their jobs: releases the jobs that waited for them, hands on
 * concurrency groups, and updates the status of these runs, and of every other run that this changes. If a run
 * uses concurrency groups, its repository must be locked.
 */
export async function settleRuns(change: RunChange, runIds: Iterable<number>): Promise<void> {
  const touched = new Set(runIds)
  // The loop adds to this set while iterating over it.
  for (const id of touched) {
    touched.delete(id)
    const run = await lockRun(change.trx, id)
    if (run) await settleOne(change, run, touched)
  }
}

async function settleOne(change: RunChange, before: RunRow, touched: Set<number>): Promise<void> {
  const { trx, ctx, repository } = change
  if (before.uses_groups) await leaveGroups(change, before, touched)
  const after = await advance(change, before, touched)
  await recordProgress(trx, ctx, repository, { before, after })
  announceRun(trx, after)
  if (after.uses_groups && after.conclusion) await leaveGroups(change, after, touched)
}

async function advance(change: RunChange, run: RunRow, touched: Set<number>): Promise<RunRow> {
  const { trx, ctx, repository, now } = change
  const open = run.status === 'in_progress' && !run.uses_groups ? await findOpenStatus(trx, run) : undefined
  if (open && open.status !== 'waiting' && !open.stopsOthers) return run
  let jobs = await selectJobs(trx, run.id, run.attempt)
  if (await stopOthers(change, run, jobs)) jobs = await selectJobs(trx, run.id, run.attempt)
  if (!run.uses_groups || (await holdsGroup(change, run, jobs, touched))) {
    const stored = await storeReleased(change, run, jobs, await release(trx, run, jobs))
    const asking = stored.filter(({ hold }) => hold === 'concurrency')
    await recordJobs(
      trx,
      ctx,
      repository,
      stored.filter(job => !asking.includes(job) && !isStillBlocked(job, jobs)),
    )
    const hasEnded = await enterGroups(change, run, { asking, jobs }, touched)
    if (stored.length > 0) jobs = await selectJobs(trx, run.id, run.attempt)
    const isAgain = (await settleCallers(change, run, jobs)) || hasEnded
    // A job that could not enter its group, or whose called workflow has completed, has ended, which can
    // release others.
    if (isAgain) {
      if (run.uses_groups) await leaveGroups(change, run, touched)
      return await advance(change, run, touched)
    }
    if (jobs.some(({ hold }) => hold === 'call'))
      announce(trx, { kind: 'calls.waiting', repositoryId: run.repository_id })
  }
  const progress = progressOf(jobs, now, run)
  if (progress.status === run.status && progress.conclusion === run.conclusion) return run
  return await updateProgress(trx, run, progress, now)
}

/** Whether a run has its concurrency group, which it asks for once, or needs none. */
async function holdsGroup(
  change: RunChange,
  run: RunRow,
  jobs: readonly JobRow[],
  touched: Set<number>,
): Promise<boolean> {
  const { concurrency: group } = run
  const open = jobs.filter(({ status }) => status !== 'completed')
  if (!group || open.length === 0) return true
  const member = (await selectMembersOfRun(change.trx, run.id)).find(({ job_id }) => job_id === null)
  if (member) return member.is_holder
  const entry = await enterGroup(change, { run, group }, touched)
  if (entry === 'full') {
    await cancelJobs(change, open, [], { reason: 'replaced', message: group.name })
    touched.add(run.id)
  }
  return entry === 'holds'
}

/** As on GitHub, a job of a matrix that fails cancels the others, unless `fail-fast` is off. */
async function stopOthers(change: RunChange, run: RunRow, jobs: readonly JobRow[]): Promise<boolean> {
  const failed = jobs.filter(
    job =>
      job.attempt === run.attempt && job.fail_fast && job.conclusion === 'failure' && !job.continue_on_error,
  )
  const names = new Map(failed.map(job => [scopedKey(job, job.job_key), job.name]))
  const others = jobs.filter(job => job.status !== 'completed' && names.has(scopedKey(job, job.job_key)))
  if (others.length === 0) return false
  const tasks = await lockOpenTasks(change.trx, run.id)
  for (const [key, name] of names) {
    const same = leavesOf(
      jobs,
      others.filter(job => scopedKey(job, job.job_key) === key),
    )
    await cancelJobs(change, same, tasks, { reason: 'fail_fast', message: name })
  }
  return true
}

async function release(
  trx: Transaction<Database>,
  run: RunRow,
  jobs: readonly JobRow[],
): Promise<Released<JobRow>> {
  const conditions = await createConditions(trx, run, jobs)
  const rounds = releaseInRounds(jobs, conditions.decide)
  const giveWay = createPauses()
  for (;;) {
    const round = rounds.next()
    if (round.done) return withinLimit(jobs, round.value)
    await conditions.prepare(round.value)
    await giveWay()
  }
}

// A matrix that would exceed the limit of the run fails instead.
function withinLimit(jobs: readonly JobRow[], { changed, added }: Released<JobRow>): Released<JobRow> {
  if (jobs.length + added.length <= maxJobs) return { changed, added }
  const expanded = new Set(added.map(job => scopedKey(job, job.job_key)))
  const message = `The run would have more than ${maxJobs} jobs.`
  const failed = {
    status: 'completed',
    conclusion: 'failure',
    end_reason: 'evaluation',
    end_message: message,
  } as const
  const before = new Map(jobs.map(job => [job.id, job]))
  return {
    changed: changed.map(job =>
      expanded.has(scopedKey(job, job.job_key))
        ? { ...(before.get(job.id) ?? job), ...failed, hold: null }
        : job,
    ),
    added: [],
  }
}

/** Asks for the concurrency groups of released jobs. Returns whether a job ended because of its group. */
async function enterGroups(
  change: RunChange,
  run: RunRow,
  { asking, jobs }: { asking: readonly JobRow[]; jobs: readonly JobRow[] },
  touched: Set<number>,
): Promise<boolean> {
  let isAgain = false
  for (const job of [...asking].sort((a, b) => a.position - b.position)) {
    const { id, call, concurrency: group } = job
    if (!group) continue
    const callerIds = callersOf(jobs, job).map(caller => caller.id)
    const entry = await enterGroup(change, { run, jobId: id, callerIds, group }, touched)
    // Stored already; the event is recorded only now that it is known whether the job waits.
    const how = isStillBlocked(job, jobs) ? 'silent' : 'recorded'
    if (entry === 'holds' && !call) await changeJobs(change, [id], { status: 'queued', hold: null })
    else if (entry === 'holds') await changeJobs(change, [id], { hold: 'call' }, how)
    else if (entry === 'waits') await changeJobs(change, [id], { status: 'waiting' }, how)
    else {
      isAgain = true
      const conclusion = entry === 'deadlock' ? 'failure' : 'cancelled'
      const reason = entry === 'deadlock' ? 'deadlock' : 'replaced'
      await endJobs(change, [id], { conclusion, reason, message: group.name })
    }
  }
  return isAgain
}

// Jobs that need others were recorded as waiting when they were inserted.
const isStillBlocked = ({ id, status }: JobRow, before: readonly JobRow[]): boolean =>
  status === 'waiting' && before.some(job => job.id === id && job.needs.length > 0)

async function storeReleased(
  { trx, now }: RunChange,
  run: RunRow,
  before: readonly JobRow[],
  released: Released<JobRow>,
): Promise<JobRow[]> {
  const [changed, added] = [released.changed.map(heldForGroup), released.added.map(heldForGroup)]
  const plain = new Map<string, { ids: number[]; change: Parameters<typeof updateJobs>[2] }>()
  const stored: JobRow[] = []
  const templates = new Map(before.map(({ id, template }) => [id, template]))
  for (const job of changed) {
    const { status, conclusion, hold, end_reason, end_message } = job
    const own = templates.get(job.id) ? resolvedColumns(job) : {}
    const completed_at = status === 'completed' ? now : null
    const change = { status, conclusion, hold, end_reason, end_message, completed_at, ...own }
    const key = JSON.stringify(change)
    const found = plain.get(key)
    if (found) found.ids.push(job.id)
    else plain.set(key, { ids: [job.id], change })
  }
  for (const { ids, change } of plain.values()) stored.push(...(await updateJobs(trx, ids, change, now)))
  const rows = added.map(({ id: _, ...job }) => ({
    ...job,
    ...resolvedColumns(job),
    needs: JSON.stringify(job.needs),
    permissions: job.permissions && JSON.stringify(job.permissions),
    attempt: run.attempt,
    created_at: now,
    updated_at: now,
    queued_at: job.status === 'queued' ? now : null,
  }))
  return [...stored, ...(await insertJobs(trx, rows))]
}

// Queued only once it has its group. A call is never queued: it waits until the workflow has been read.
function heldForGroup(job: JobRow): JobRow {
  if (job.status !== 'queued' || !(job.concurrency || job.call)) return job
  return { ...job, status: 'waiting', hold: job.concurrency ? 'concurrency' : 'call' }
}

const resolvedColumns = (job: Omit<JobRow, 'id'>) => ({
  matrix: job.matrix && JSON.stringify(job.matrix),
  name: job.name,
  labels: JSON.stringify(job.labels),
  runner_group: job.runner_group,
  continue_on_error: job.continue_on_error,
  fail_fast: job.fail_fast,
  max_parallel: job.max_parallel,
  concurrency: job.concurrency && JSON.stringify(job.concurrency),
  call: job.call && JSON.stringify(job.call),
  template: job.template && JSON.stringify(job.template),
})
