import type { Transaction } from 'kysely'
import type { Database } from '@/db/tables'
import { createPauses } from '@/server/kernel/pauses'
import type { SettlingChange } from './change-jobs'
import { createConditions } from './evaluate-conditions'
import { insertJobs, type JobRow, updateJobs } from './job-store'
import { type Released, releaseInRounds } from './release'
import type { RunRow } from './store'
import { withinLimit } from './within-limit'

/**
 * Releases the jobs of a run that waited for others, and stores them without recording events. A job that has a
 * concurrency group, or calls a workflow, waits on for that.
 * @returns the rows of all jobs that changed or were added
 */
export async function releaseJobs(
  change: SettlingChange,
  run: RunRow,
  jobs: readonly JobRow[],
): Promise<JobRow[]> {
  return await storeReleased(change, run, jobs, await decide(change.trx, run, jobs))
}

async function decide(
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

async function storeReleased(
  { trx, now, unrecorded }: SettlingChange,
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
  const inserted = await insertJobs(trx, rows)
  for (const { id } of inserted) unrecorded.add(id)
  return [...stored, ...inserted]
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
