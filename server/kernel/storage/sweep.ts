import type { Selectable } from 'kysely'
import type { UnusedObjectsTable } from '@/db/tables/unused-objects'
import { noBackupRuns } from '../backup-hold'
import { dayMs } from '../clock'
import type { ServiceCtx } from '../ctx'
import { defineJob } from '../jobs'

type SweepCtx = Pick<ServiceCtx, 'db' | 'storage' | 'clock'>

const batchSize = 100
const pauseMs = 3_600_000
const lateMs = 7 * dayMs

export const sweepObjectsJob = defineJob({
  name: 'storage.sweep',
  atStart: true,
  run: async (ctx, signal) => ({ deleted: await sweepObjects(ctx, signal) }),
})

type DueObject = Pick<Selectable<UnusedObjectsTable>, 'storage_key' | 'is_deleted'>

/**
 * Deletes stored objects that no database row has claimed in time, and returns their number. Each one is
 * deleted again a week later, in case a stalled process wrote to it after the first deletion and was then
 * killed. Nothing is deleted while a backup runs. The storage is never listed, so restoring an older backup of the
 * database cannot delete files. A failed deletion is retried an hour later. The sweep stops soon after the signal is
 * aborted.
 * @throws {Error} the first failure, after all other objects are deleted
 */
export async function sweepObjects(ctx: SweepCtx, signal?: AbortSignal): Promise<number> {
  let deleted = 0
  const failures: unknown[] = []
  for (;;) {
    const due = await takeDue(ctx)
    for (const object of due) {
      if (signal?.aborted) return deleted
      try {
        await deleteOne(ctx, object)
        if (!object.is_deleted) deleted++
      } catch (error) {
        failures.push(error)
        await postpone(ctx, object.storage_key, pauseMs)
      }
    }
    if (due.length < batchSize) break
  }
  if (failures.length > 0) throw failures[0]
  return deleted
}

async function deleteOne(ctx: SweepCtx, { storage_key: key, is_deleted: isAgain }: DueObject): Promise<void> {
  await ctx.storage.delete(key)
  if (isAgain) await ctx.db.deleteFrom('unused_objects').where('storage_key', '=', key).execute()
  else await postpone(ctx, key, lateMs, { is_deleted: true })
}

// Failed deletions are postponed too. Otherwise they would always come first, and enough of them would block
// all others.
async function postpone(
  { db, clock }: SweepCtx,
  key: string,
  byMs: number,
  change: { is_deleted?: true } = {},
): Promise<void> {
  await db
    .updateTable('unused_objects')
    .set({ ...change, sweep_after: new Date(clock.now().getTime() + byMs) })
    .where('storage_key', '=', key)
    .execute()
}

// Marked objects can no longer be claimed, so no transaction has to remain open during the deletion. Objects
// that are currently being claimed are locked and skipped.
async function takeDue({ db, clock }: SweepCtx): Promise<DueObject[]> {
  const due = db
    .selectFrom('unused_objects')
    .select('storage_key')
    .where('sweep_after', '<=', clock.now())
    .where(noBackupRuns)
    .orderBy('sweep_after')
    .limit(batchSize)
    .forUpdate()
    .skipLocked()
  return await db
    .updateTable('unused_objects')
    .set({ is_swept: true })
    .where('storage_key', 'in', due)
    .returning(['storage_key', 'is_deleted'])
    .execute()
}
