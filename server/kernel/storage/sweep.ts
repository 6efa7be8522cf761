import type { ServiceCtx } from '../ctx'
import { defineJob } from '../jobs'

type SweepCtx = Pick<ServiceCtx, 'db' | 'storage' | 'clock'>

const batchSize = 100
const pauseMs = 3_600_000

export const sweepObjectsJob = defineJob({
  name: 'storage.sweep',
  atStart: true,
  run: async (ctx, signal) => ({ deleted: await sweepObjects(ctx, signal) }),
})

/**
 * Deletes the objects that no row names and whose time is over. Returns how many. What is in the storage is never listed,
 * so a database restored from an older backup costs nobody their files. What cannot be deleted is left to a sweep an hour
 * later. Ends soon after the signal is aborted.
 * @throws {Error} the first failure, once all the others are deleted.
 */
export async function sweepObjects(ctx: SweepCtx, signal?: AbortSignal): Promise<number> {
  let deleted = 0
  const failures: unknown[] = []
  for (;;) {
    const keys = await takeDue(ctx)
    for (const key of keys) {
      if (signal?.aborted) return deleted
      try {
        await deleteOne(ctx, key)
        deleted++
      } catch (error) {
        failures.push(error)
        await postpone(ctx, key)
      }
    }
    if (keys.length < batchSize) break
  }
  if (failures.length > 0) throw failures[0]
  return deleted
}

async function deleteOne({ db, storage, clock }: SweepCtx, key: string): Promise<void> {
  await storage.delete(key)
  // Unless more of it was written meanwhile, which is for a later sweep.
  await db
    .deleteFrom('unused_objects')
    .where('storage_key', '=', key)
    .where('sweep_after', '<=', clock.now())
    .execute()
}

// Or those that fail each time would be the first each time, and once they are many nothing else would be deleted.
async function postpone({ db, clock }: SweepCtx, key: string): Promise<void> {
  await db
    .updateTable('unused_objects')
    .set({ sweep_after: new Date(clock.now().getTime() + pauseMs) })
    .where('storage_key', '=', key)
    .execute()
}

// From the moment of the mark nobody can claim the object, so that no transaction has to last as long as its deletion. One
// that is claimed in this moment is left to that.
async function takeDue({ db, clock }: SweepCtx): Promise<string[]> {
  const due = db
    .selectFrom('unused_objects')
    .select('storage_key')
    .where('sweep_after', '<=', clock.now())
    .orderBy('sweep_after')
    .limit(batchSize)
    .forUpdate()
    .skipLocked()
  const taken = await db
    .updateTable('unused_objects')
    .set({ is_swept: true })
    .where('storage_key', 'in', due)
    .returning('storage_key')
    .execute()
  return taken.map(row => row.storage_key)
}
