import type { Transaction } from 'kysely'
import type { Database } from '@/db/tables'
import type { EndReason } from '@/db/tables/workflow-jobs'
import type { RunConclusion } from '@/db/tables/workflow-runs'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { recordJobs } from './announce'
import { type JobChange, updateJobs } from './job-store'

/** Transaction that changes jobs of a locked run. */
export interface RunChange {
  trx: Transaction<Database>
  ctx: ServiceCtx
  repository: { id: number; owner_id: number }
  now: Date
}

/** Outcome of a job. `reason` says why it ended if no report of its runner ended it. */
export interface JobEnd {
  conclusion: RunConclusion
  reason?: EndReason
}

/** Completes jobs and records the events. */
export async function endJobs(
  change: RunChange,
  ids: readonly number[],
  { conclusion, reason }: JobEnd,
): Promise<void> {
  const end = {
    status: 'completed',
    conclusion,
    completed_at: change.now,
    end_reason: reason ?? null,
  } as const
  await changeJobs(change, ids, end)
}

/** Changes jobs and records an event for each. */
export async function changeJobs(
  { trx, ctx, repository, now }: RunChange,
  ids: readonly number[],
  change: JobChange,
): Promise<void> {
  if (ids.length > 0) await recordJobs(trx, ctx, repository, await updateJobs(trx, ids, change, now))
}
