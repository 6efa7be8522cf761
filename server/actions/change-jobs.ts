import type { Transaction } from 'kysely'
import type { Database } from '@/db/tables'
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

/** Changes jobs and records what became of them. */
export async function changeJobs(
  { trx, ctx, repository, now }: RunChange,
  ids: readonly number[],
  change: JobChange,
): Promise<void> {
  if (ids.length > 0) await recordJobs(trx, ctx, repository, await updateJobs(trx, ids, change, now))
}
