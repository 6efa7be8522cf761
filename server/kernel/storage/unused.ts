import type { Db } from '@/db/client'
import { affectedRows } from '@/db/sql'
import type { ServiceCtx } from '../ctx'
import { conflict } from '../errors'

const minuteMs = 60_000
const heldMs = 10 * minuteMs

type HoldCtx = Pick<ServiceCtx, 'db' | 'clock' | 'log'>

/**
 * Lease that protects a new object in the object storage from being deleted as unused while it is being
 * written.
 */
export interface Hold {
  /** Aborted if the sweep has deleted the object anyway, for example because this process stalled. */
  signal: AbortSignal
  /** Stops renewing the lease. If the object was not claimed by then, it is deleted later. */
  release(): void
}

/**
 * Registers a new object in the object storage before its first byte is written. The object is deleted after
 * `sweepAfter`, unless `claimObject` is called for it by then.
 */
export async function reserveObject(db: Db, key: string, sweepAfter: Date): Promise<void> {
  await db.insertInto('unused_objects').values({ storage_key: key, sweep_after: sweepAfter }).execute()
}

/**
 * Postpones the deletion of an object that `claimObject` has not been called for yet. Returns false if the
 * object was claimed or deleted.
 */
export async function extendObject(db: Db, key: string, sweepAfter: Date): Promise<boolean> {
  const result = await db
    .updateTable('unused_objects')
    .set({ sweep_after: sweepAfter })
    .where('storage_key', '=', key)
    .where('is_swept', '=', false)
    .executeTakeFirst()
  return affectedRows(result) === 1
}

/**
 * Registers a new object in the object storage and protects it from deletion as unused until it is released:
 *
 *     const key = newObjectKey()
 *     const hold = await holdObject(ctx, key)
 *     try {
 *       const { size, sha256 } = await ctx.storage.put(key, source, { signal: hold.signal })
 *       // in one transaction: claimObject(trx, key), and insert the row with the key
 *     } finally {
 *       hold.release()
 *     }
 */
export async function holdObject(ctx: HoldCtx, key: string): Promise<Hold> {
  const until = () => new Date(ctx.clock.now().getTime() + heldMs)
  await reserveObject(ctx.db, key, until())
  const lost = new AbortController()
  const renew = async () => {
    if (!(await extendObject(ctx.db, key, until()))) lost.abort(tookTooLong())
  }
  const timer = setInterval(() => {
    renew().catch((error: Error) =>
      ctx.log.warn({ reason: error.message }, 'could not renew the lease on an object'),
    )
  }, minuteMs)
  return { signal: lost.signal, release: () => clearInterval(timer) }
}

/**
 * Claims an object in the object storage for a database row, so that it is not deleted as unused. Call this
 * in the transaction that writes the row with the object's key.
 * @throws {DomainError} conflict if the object was already deleted as unused
 */
export async function claimObject(trx: Db, key: string): Promise<void> {
  const result = await trx
    .deleteFrom('unused_objects')
    .where('storage_key', '=', key)
    .where('is_swept', '=', false)
    .executeTakeFirst()
  if (affectedRows(result) !== 1) throw tookTooLong()
}

const tookTooLong = () => conflict('the upload took too long; send it again')
