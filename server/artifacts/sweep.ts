import { sql } from 'kysely'
import { withTransaction } from '@/db/transaction'
import { announceRun } from '@/server/actions'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { defineJob } from '@/server/kernel/jobs'

type SweepCtx = Pick<ServiceCtx, 'db' | 'clock'>

const batchSize = 500
// A job can start to finalize an artifact until its token expires, and hashing can take longer.
const uploadGraceMs = 15 * 60_000

/**
 * Marks artifacts past their expiry as expired, and deletes those whose upload was never finished. Triggers
 * leave the objects of both to the storage's sweep.
 */
export const sweepArtifactsJob = defineJob({
  name: 'artifacts.sweep',
  async run(ctx, signal) {
    const expired = await inBatches(() => expireDue(ctx), signal)
    const abandoned = await inBatches(() => deleteAbandoned(ctx), signal)
    return { expired, abandoned }
  },
})

async function inBatches(sweep: () => Promise<number>, signal: AbortSignal): Promise<number> {
  for (let total = 0; ; ) {
    const count = await sweep()
    total += count
    if (count < batchSize || signal.aborted) return total
  }
}

async function expireDue({ db, clock }: SweepCtx): Promise<number> {
  return await withTransaction(db, async trx => {
    const due = trx
      .selectFrom('artifacts')
      .select('id')
      .where('status', '=', 'finished')
      .where('expires_at', '<=', clock.now())
      .orderBy('expires_at')
      .limit(batchSize)
      .forUpdate()
      .skipLocked()
    const rows = await trx
      .updateTable('artifacts')
      .set({ status: 'expired', storage_key: null, updated_at: sql`now()` })
      .where('id', 'in', due)
      .returning(['run_id', 'repository_id'])
      .execute()
    const runs = new Map(rows.map(({ run_id, repository_id }) => [run_id, repository_id]))
    for (const [id, repository_id] of runs) announceRun(trx, { id, repository_id })
    return rows.length
  })
}

async function deleteAbandoned({ db, clock }: SweepCtx): Promise<number> {
  const abandoned = db
    .selectFrom('artifact_uploads')
    .select('artifact_id')
    .where('expires_at', '<=', new Date(clock.now().getTime() - uploadGraceMs))
    .orderBy('expires_at')
    .limit(batchSize)
  const rows = await db
    .deleteFrom('artifacts')
    .where('id', 'in', abandoned)
    .where('status', '=', 'pending')
    .returning('id')
    .execute()
  return rows.length
}
