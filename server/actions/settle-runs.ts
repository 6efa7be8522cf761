import { announce } from '@/server/events'
import { announceRun, recordProgress } from './announce'
import { callersOf, leavesOf, settleCallers } from './called-jobs'
import { cancelJobs } from './cancel-jobs'
import { changeJobs, endJobs, type RunChange, recordReleased, type SettlingChange } from './change-jobs'
import { endOf, enterGroup, leaveGroups, othersIn } from './concurrency'
import { selectMembersOfRun } from './concurrency-store'
import { findOpenStatus, type JobRow, lockOpenTasks, selectJobs, selectJobsById } from './job-store'
import { releaseJobs } from './release-jobs'
import { enterGroupsAgain } from './reopened-calls'
import { progressOf, scopedKey } from './status'
import { lockRun, type RunRow, updateProgress } from './store'

/**
 * Brings runs up to date after a change of their jobs: releases the jobs that waited for them, hands on
 * concurrency groups, and updates the status of these runs, and of every other run that this changes. If a run
 * uses concurrency groups, its repository must be locked.
 */
export async function settleRuns(change: RunChange, runIds: Iterable<number>): Promise<void> {
  const touched = new Set(runIds)
  const own: SettlingChange = { ...change, unrecorded: change.unrecorded ?? new Set() }
  // The loop adds to this set while iterating over it.
  for (const id of touched) {
    touched.delete(id)
    const run = await lockRun(change.trx, id)
    if (run) await settleOne(own, run, touched)
  }
}

async function settleOne(change: SettlingChange, before: RunRow, touched: Set<number>): Promise<void> {
  const { trx, ctx, repository } = change
  if (before.uses_groups) await leaveGroups(change, before, touched)
  const after = await advance(change, before, touched)
  await recordProgress(trx, ctx, repository, { before, after })
  announceRun(trx, after)
  if (after.uses_groups && after.conclusion) await leaveGroups(change, after, touched)
}

async function advance(change: SettlingChange, run: RunRow, touched: Set<number>): Promise<RunRow> {
  const { trx, now } = change
  const open = run.status === 'in_progress' && !run.uses_groups ? await findOpenStatus(trx, run) : undefined
  if (open && open.status !== 'waiting' && !open.stopsOthers) return run
  let jobs = await selectJobs(trx, run.id, run.attempt)
  if (await stopOthers(change, run, jobs)) {
    if (run.uses_groups) await leaveGroups(change, run, touched)
    jobs = await selectJobs(trx, run.id, run.attempt)
  }
  if (!run.uses_groups || (await holdsGroup(change, run, jobs, touched))) {
    const reopened = await enterGroupsAgain(change, run, jobs, touched)
    if (reopened !== 'unchanged') jobs = await selectJobs(trx, run.id, run.attempt)
    const released = await releaseJobs(change, run, jobs)
    const asking = released.filter(({ hold }) => hold === 'concurrency')
    await recordReleased(
      change,
      released.filter(job => !asking.includes(job)),
    )
    const hasEnded = await enterGroups(change, run, { asking, jobs }, touched)
    if (released.length > 0) jobs = await selectJobs(trx, run.id, run.attempt)
    const hasSettled = await settleCallers(change, run, jobs)
    // Jobs that ended just now, because they could not enter their group, could not be expanded, or their called
    // workflow has completed, can release others and cancel others of their matrix.
    if (
      reopened === 'ended' ||
      hasEnded ||
      hasSettled ||
      released.some(({ conclusion }) => conclusion === 'failure')
    ) {
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
  change: SettlingChange,
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
  if (entry === 'waits') await recordReleased(change, open)
  if (entry === 'full') {
    await cancelJobs(change, open, [], { reason: 'replaced', message: othersIn(group) })
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

/** Asks for the concurrency groups of released jobs. Returns whether a job ended because of its group. */
async function enterGroups(
  change: SettlingChange,
  run: RunRow,
  { asking, jobs }: { asking: readonly JobRow[]; jobs: readonly JobRow[] },
  touched: Set<number>,
): Promise<boolean> {
  let hasEnded = false
  for (const job of [...asking].sort((a, b) => a.position - b.position)) {
    const { id, call, concurrency: group } = job
    // A job that asked before can have canceled this one.
    const isWaiting = (await selectJobsById(change.trx, [id])).get(id)?.status === 'waiting'
    if (!group || !isWaiting) continue
    const callerIds = callersOf(jobs, job).map(caller => caller.id)
    const entry = await enterGroup(change, { run, jobId: id, callerIds, group }, touched)
    if (entry === 'holds' && !call) await changeJobs(change, [id], { status: 'queued', hold: null })
    else if (entry === 'holds' || entry === 'waits') {
      if (entry === 'holds') await changeJobs(change, [id], { hold: 'call' }, 'silent')
      await recordReleased(change, [job])
    } else {
      hasEnded = true
      await endJobs(change, [id], endOf(entry, group))
    }
  }
  return hasEnded
}
