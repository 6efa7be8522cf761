import type { Group } from '@/db/tables/workflow-templates'
import { type CalledWorkflow, callersOf, leavesOf, selectCalled } from './called-jobs'
import { changeJobs, endJobs, type RunChange } from './change-jobs'
import { type Entry, endOf, enterGroup } from './concurrency'
import { type JobRow, selectJobsById } from './job-store'
import type { RunRow } from './store'
import { keyOf } from './workflow/groups'

/** Call that asks for a concurrency group. */
interface Asking {
  run: RunRow
  job: JobRow
  /** All jobs of the run. */
  jobs: readonly JobRow[]
  group: Group
}

/** Asks for the concurrency group of the workflow that a job calls, which the job itself must not have. */
export async function enterWorkflowGroup(
  change: RunChange,
  { job, group, ...asking }: Asking,
  touched: Set<number>,
): Promise<Entry> {
  if (job.concurrency && keyOf(job.concurrency) === keyOf(group)) return 'deadlock'
  return await enter(change, { job, group, ...asking }, touched)
}

/**
 * Asks for the concurrency groups of calls of which only some jobs run again: each one's own group, and then that
 * of the workflow. Their jobs can start once they have both.
 */
export async function enterGroupsAgain(
  change: RunChange,
  run: RunRow,
  jobs: readonly JobRow[],
  touched: Set<number>,
): Promise<'unchanged' | 'changed' | 'ended'> {
  const isWaiting = ({ called_id, hold }: JobRow): boolean => called_id !== null && hold === 'concurrency'
  const waiting = jobs.filter(isWaiting).sort((a, b) => a.position - b.position)
  const called = await selectCalled(
    change.trx,
    waiting.flatMap(({ called_id }) => called_id ?? []),
  )
  const entered = new Set<number>()
  for (const job of waiting) {
    if (callersOf(jobs, job).some(caller => isWaiting(caller) && !entered.has(caller.id))) continue
    // A call that asked before can have canceled this one.
    const isOpen = (await selectJobsById(change.trx, [job.id])).get(job.id)?.status === 'waiting'
    if (!isOpen) continue
    const found = await enterAll(change, { run, job, jobs }, called, touched)
    if (found.entry === 'holds') {
      entered.add(job.id)
      await changeJobs(change, [job.id], { hold: null }, 'silent')
    } else if (found.entry !== 'waits') {
      const ids = [job, ...leavesOf(jobs, [job])].map(({ id }) => id)
      await endJobs(change, ids, endOf(found.entry, found.group))
      return 'ended'
    }
  }
  return entered.size > 0 ? 'changed' : 'unchanged'
}

async function enterAll(
  change: RunChange,
  asking: Omit<Asking, 'group'>,
  called: ReadonlyMap<number, CalledWorkflow>,
  touched: Set<number>,
): Promise<{ entry: 'holds' } | { entry: Exclude<Entry, 'holds'>; group: Group }> {
  const { concurrency, called_id } = asking.job
  for (const group of [concurrency, called.get(called_id ?? 0)?.concurrency]) {
    if (!group) continue
    const entry = await enter(change, { ...asking, group }, touched)
    if (entry !== 'holds') return { entry, group }
  }
  return { entry: 'holds' }
}

function enter(change: RunChange, { run, job, jobs, group }: Asking, touched: Set<number>): Promise<Entry> {
  const callerIds = callersOf(jobs, job).map(({ id }) => id)
  return enterGroup(change, { run, jobId: job.id, callerIds, group }, touched)
}
