import type { Db } from '@/db/client'
import { affectedRows } from '@/db/sql'
import type { ServiceCtx } from '../ctx'
import { conflict } from '../errors'

const minuteMs = 60_000
const heldMs = 10 * minuteMs

type HoldCtx = Pick<ServiceCtx, 'db' | 'clock' | 'log'>

/** An object that the sweep leaves alone while it is written. */
export interface Hold {
  /** Aborted when the sweep has taken the object all the same, as from a process that stood still for too long. */
  signal: AbortSignal
  /** Ends the renewals. An object that was not claimed by then goes with a later sweep. */
  release(): void
}

/** Notes a new object, before its first byte is written, for the sweep to delete after the time unless it is claimed. */
export async function reserveObject(db: Db, key: string, sweepAfter: Date): Promise<void> {
  await db.insertInto('unused_objects').values({ storage_key: key, sweep_after: sweepAfter }).execute()
}

/** Gives an object that is not claimed yet more time. False when the sweep has it, or had it, or it is claimed. */
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
 * Notes a new object, and keeps it from the sweep until it is released, while its bytes come:
 *
 *     const key = newObjectKey()
 *     const hold = await holdObject(ctx, key)
 *     try {
 *       const { size, sha256 } = await ctx.storage.put(key, source, { signal: hold.signal })
 *       // one transaction: claimObject(trx, key), and the row that names the object
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
    renew().catch((error: Error) => ctx.log.warn({ reason: error.message }, 'an upload was not noted'))
  }, minuteMs)
  return { signal: lost.signal, release: () => clearInterval(timer) }
}

/**
 * Makes an object somebody's: call it in the transaction that writes the row which names the object, with its key.
 * @throws {DomainError} conflict when the sweep has taken it.
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
