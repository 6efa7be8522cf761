import type { Selectable } from 'kysely'
import type { UnusedObjectsTable } from '@/db/tables/unused-objects'
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
 * Deletes the objects that no row names and whose time is over. Returns how many. Each is deleted once more a week later: a
 * process that stood still meanwhile may have written it anew, and then been killed. What is in the storage is never listed,
 * so a database restored from an older backup costs nobody their files. What cannot be deleted is left to a sweep an hour
 * later. Ends soon after the signal is aborted.
 * @throws {Error} the first failure, once all the others are deleted.
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

// What fails, too: or those that fail each time would be the first each time, and once they are many nothing else would be deleted.
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

// From the moment of the mark nobody can claim the object, so that no transaction has to last as long as its deletion. One
// that is claimed in this moment is left to that.
async function takeDue({ db, clock }: SweepCtx): Promise<DueObject[]> {
  const due = db
    .selectFrom('unused_objects')
    .select('storage_key')
    .where('sweep_after', '<=', clock.now())
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
