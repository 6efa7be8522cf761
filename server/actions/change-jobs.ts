import type { Transaction } from 'kysely'
import type { Database } from '@/db/tables'
import type { EndReason } from '@/db/tables/workflow-jobs'
import type { RunConclusion } from '@/db/tables/workflow-runs'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { recordJobs } from './announce'
import { type JobChange, updateJobs } from './job-store'

/** A change to jobs of a run, which is locked. */
export interface RunChange {
  trx: Transaction<Database>
  ctx: ServiceCtx
  repository: { id: number; owner_id: number }
  now: Date
}

/** How a job ends; `reason` is why, where that was not by a report of its runner. */
export interface JobEnd {
  conclusion: RunConclusion
  reason?: EndReason
}

/** Ends jobs and records it. */
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

/** Changes jobs and records what became of them. */
export async function changeJobs(
  { trx, ctx, repository, now }: RunChange,
  ids: readonly number[],
  change: JobChange,
): Promise<void> {
  if (ids.length > 0) await recordJobs(trx, ctx, repository, await updateJobs(trx, ids, change, now))
}
