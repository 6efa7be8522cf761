import type { Transaction } from 'kysely'
import type { Database } from '@/db/tables'
import type { EndReason } from '@/db/tables/end-reasons'
import type { RunConclusion } from '@/db/tables/workflow-runs'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { recordJobs } from './announce'
import { type JobChange, type JobRow, updateJobs } from './job-store'

/** Transaction that changes jobs of a locked run. */
export interface RunChange {
  trx: Transaction<Database>
  ctx: ServiceCtx
  repository: { id: number; owner_id: number }
  now: Date
  /** Jobs that the change has inserted without recording an event of their status. */
  unrecorded?: Set<number>
}

/** Change that is followed by releasing the jobs that waited for it. */
export type SettlingChange = RunChange & Required<Pick<RunChange, 'unrecorded'>>

/** Outcome of a job. `reason` says why it ended if no report of its runner ended it. */
export interface JobEnd {
  conclusion: RunConclusion
  reason?: EndReason | undefined
  /** Details about the reason. */
  message?: string
}

/** Completes jobs and records the events. */
export async function endJobs(
  change: RunChange,
  ids: readonly number[],
  { conclusion, reason, message = '' }: JobEnd,
): Promise<void> {
  // A job that its runner was asked to stop keeps the reason for that.
  const isStopped = conclusion === 'cancelled' && reason === undefined
  const why = isStopped ? {} : { end_reason: reason ?? null, end_message: message }
  await changeJobs(change, ids, {
    status: 'completed',
    conclusion,
    completed_at: change.now,
    hold: null,
    ...why,
  })
}

/** Changes jobs and, unless the change is `silent`, records an event for each. */
export async function changeJobs(
  { trx, ctx, repository, now }: RunChange,
  ids: readonly number[],
  change: JobChange,
  how: 'recorded' | 'silent' = 'recorded',
): Promise<void> {
  if (ids.length === 0) return
  const changed = await updateJobs(trx, ids, change, now)
  if (how === 'recorded') await recordJobs(trx, ctx, repository, changed)
}

/** Records an event for each released job, unless it waits on and has an event that says so. */
export async function recordReleased(
  { trx, ctx, repository, unrecorded }: SettlingChange,
  jobs: readonly JobRow[],
): Promise<void> {
  const news = jobs.filter(({ id, status }) => status !== 'waiting' || unrecorded.has(id))
  await recordJobs(trx, ctx, repository, news)
  for (const { id } of news) unrecorded.delete(id)
}
