import type { Group } from '@/db/tables/workflow-templates'
import { leavesOf } from './called-jobs'
import { beginCancellation, cancelJobs } from './cancel-jobs'
import { changeJobs, endJobs, type JobEnd, type RunChange } from './change-jobs'
import {
  deleteMembers,
  insertMember,
  type MemberRow,
  makeHolder,
  selectEndedMembers,
  selectMembers,
} from './concurrency-store'
import { type JobRow, lockOpenTasks, selectJobs, selectJobsById } from './job-store'
import { lockRun, type RunRow } from './store'
import { keyOf } from './workflow/groups'

/** Whether a run or job that asked for a concurrency group has it, waits for it, or would wait for itself. */
export type Entry = 'holds' | 'waits' | 'deadlock' | 'full'

/** Run or job that asks for a group. */
interface Asking {
  run: RunRow
  /** Null if the whole run asks. */
  jobId?: number | null
  /** Jobs that call the workflow of the job, directly or indirectly. */
  callerIds?: readonly number[]
  group: Group
}

/** Maximum number of runs and jobs that wait in a group with `queue: max`. */
export const maxWaiting = 100

/** Says who waits in a group in which nothing else can wait. */
export const othersIn = ({ name }: Pick<Group, 'name'>): string =>
  `the ${maxWaiting} others that wait in group ${name}`

const newcomerIn = ({ name }: Group, { number }: Pick<RunRow, 'number'>): string =>
  `run #${number} in group ${name}`

/** How a run lost its place in its concurrency group. */
export interface Loss {
  group: string
  how: 'replaced' | 'superseded' | 'full'
  /** Number of the run that took the place; null if the group was full. */
  by: number | null
}

/**
 * Returns how a run lost its place in its concurrency group, by one of its jobs that ended because of that.
 * Undefined if the job ended for another reason, such as a group of its own.
 */
export function lossBy(
  { name }: Group,
  { end_reason: reason, end_message: message }: Pick<JobRow, 'end_reason' | 'end_message'>,
): Loss | undefined {
  if (reason !== 'replaced' && reason !== 'superseded') return undefined
  if (message === othersIn({ name })) return { group: name, how: 'full', by: null }
  const [, number, group = ''] = /^run #(\d+) in group (.+)$/s.exec(message) ?? []
  if (keyOf({ name: group }) !== keyOf({ name })) return undefined
  return { group: name, how: reason, by: Number(number) }
}

/** Returns how a job ends that can neither have its group nor wait for it. */
export const endOf = (entry: 'deadlock' | 'full', group: Group): JobEnd =>
  entry === 'deadlock'
    ? { conclusion: 'failure', reason: 'deadlock', message: group.name }
    : { conclusion: 'cancelled', reason: 'replaced', message: othersIn(group) }

/**
 * Asks for a concurrency group on behalf of a run or one of its jobs. As on GitHub, one run or job has the
 * group and one waits: another one that asks replaces the one that waits, unless either of them has
 * `queue: max`, and with `cancel-in-progress` also cancels the one that has the group. The repository must be
 * locked.
 * @returns the outcome, and adds the other runs that it changed to `touched`
 */
export async function enterGroup(
  change: RunChange,
  { run, jobId = null, callerIds = [], group }: Asking,
  touched: Set<number>,
): Promise<Entry> {
  const { trx, repository } = change
  const key = keyOf(group)
  const members = await selectMembers(trx, repository.id, key)
  const own = jobId === null ? undefined : members.find(({ job_id }) => job_id === jobId)
  if (own) return own.is_holder ? 'holds' : 'waits'
  const isAncestor = ({ run_id, job_id }: MemberRow): boolean =>
    run_id === run.id && (job_id === null || callerIds.includes(job_id))
  if (jobId !== null && members.some(isAncestor)) return 'deadlock'
  const holder = members.find(({ is_holder }) => is_holder)
  const waiting = members.filter(({ is_holder }) => !is_holder)
  if (group.queues && waiting.length >= maxWaiting) return 'full'
  const why = { message: newcomerIn(group, run) }
  const replaced = group.queues ? [] : waiting.filter(({ queues }) => !queues)
  for (const member of replaced) await replace(change, member, why, touched)
  if (holder && group.cancels) await supersede(change, holder, why, touched)
  await insertMember(trx, {
    repository_id: repository.id,
    run_id: run.id,
    job_id: jobId,
    key,
    name: group.name,
    is_holder: !holder,
    queues: group.queues,
    created_at: change.now,
  })
  return holder ? 'waits' : 'holds'
}

/** Cancels a run or job that waits, including jobs that would run after a regular cancellation. */
async function replace(
  change: RunChange,
  member: MemberRow,
  { message }: { message: string },
  touched: Set<number>,
): Promise<void> {
  const { trx } = change
  const run = await lockRun(trx, member.run_id)
  await deleteMembers(trx, [member.id])
  if (!run) return
  const open = await openJobsOf(trx, run, member)
  const all = await withCalled(trx, run, open)
  await endJobs(
    change,
    all.map(({ id }) => id),
    { conclusion: 'cancelled', reason: 'replaced', message },
  )
  touched.add(run.id)
}

/** Returns jobs, and those of the workflows that they have called. */
async function withCalled(trx: RunChange['trx'], run: RunRow, jobs: readonly JobRow[]): Promise<JobRow[]> {
  if (jobs.every(({ called_id }) => called_id === null)) return [...jobs]
  const leaves = leavesOf(await selectJobs(trx, run.id, run.attempt), jobs)
  return [...jobs, ...leaves.filter(leaf => !jobs.some(({ id }) => id === leaf.id))]
}

// Only what is needed is read, because every job of a large matrix can ask for the same group.
async function openJobsOf(
  trx: RunChange['trx'],
  run: RunRow,
  { job_id }: Pick<MemberRow, 'job_id'>,
): Promise<JobRow[]> {
  const jobs =
    job_id === null
      ? await selectJobs(trx, run.id, run.attempt)
      : [...(await selectJobsById(trx, [job_id])).values()]
  return jobs.filter(({ status }) => status !== 'completed')
}

/** Cancels the run or job that has a group, as a person would cancel a run. */
async function supersede(
  change: RunChange,
  { run_id, job_id }: MemberRow,
  { message }: { message: string },
  touched: Set<number>,
): Promise<void> {
  const { trx } = change
  const run = await lockRun(trx, run_id)
  if (!run) return
  const why = { reason: 'superseded', message } as const
  if (job_id === null) await beginCancellation(change, run, why)
  else {
    const open = await openJobsOf(trx, run, { job_id })
    const hasCalled = open.some(({ called_id }) => called_id !== null)
    const leaves = hasCalled ? leavesOf(await selectJobs(trx, run.id, run.attempt), open) : open
    await cancelJobs(change, leaves, await lockOpenTasks(trx, run_id), why)
  }
  touched.add(run.id)
}

/**
 * Takes what has ended of a run out of its concurrency groups and hands these on to what waits for them. Adds
 * the runs that it changed to `touched`.
 */
export async function leaveGroups(change: RunChange, run: RunRow, touched: Set<number>): Promise<void> {
  const { trx } = change
  const ended = await selectEndedMembers(trx, run.id)
  await deleteMembers(
    trx,
    ended.map(({ id }) => id),
  )
  for (const { key, is_holder } of ended) if (is_holder) await handOn(change, key, touched)
}

async function handOn(change: RunChange, key: string, touched: Set<number>): Promise<void> {
  const { trx, repository } = change
  const members = await selectMembers(trx, repository.id, key)
  if (members.some(({ is_holder }) => is_holder)) return
  for (const { id, run_id, job_id } of members) {
    const run = await lockRun(trx, run_id)
    const job = job_id === null ? undefined : (await selectJobsById(trx, [job_id])).get(job_id)
    // One that was canceled in this transaction is removed when its run is brought up to date.
    if (!run || (job ?? run).status === 'completed') continue
    await makeHolder(trx, id)
    // A call of which only some jobs run again can have another group to ask for.
    if (job?.call && job.called_id === null) await changeJobs(change, [job.id], { hold: 'call' }, 'silent')
    else if (job && !job.call) await changeJobs(change, [job.id], { status: 'queued', hold: null })
    touched.add(run.id)
    return
  }
}
