import { sql } from 'kysely'
import type { Db } from '@/db/client'
import { anyOf } from '@/db/sql'
import { withTransaction } from '@/db/transaction'
import type { UserCtx } from '@/server/kernel/ctx'
import { unprocessable } from '@/server/kernel/errors'
import type { HookFor } from '../load'
import { announceChange } from '../record'
import { isEnabled } from '../view'
import type { HookDelivery, Replayed, ReplayInput } from './schema'
import { matches, readDelivery } from './store'
import { viewDelivery } from './view'

/**
 * Sends a delivery again at once, the same bytes under the same id, even where the hook is not active. One that is over begins
 * its schedule anew; one that waits for its next retry makes it now, and goes on with its schedule from there. One that is
 * being sent at this moment is left alone.
 * @throws {DomainError} notFound for a delivery of another hook.
 */
export async function redeliver(ctx: UserCtx, { hook, place }: HookFor, id: number): Promise<HookDelivery> {
  return await withTransaction(ctx.db, async trx => {
    const { numUpdatedRows } = await trx
      .updateTable('hook_deliveries')
      .set({ ...dueAgain(ctx, hook.target), cause: 'redelivery' })
      .where('hook_id', '=', hook.id)
      .where('id', '=', id)
      .where(eb => eb.or([eb('leased_until', 'is', null), eb('leased_until', '<=', ctx.clock.now())]))
      .executeTakeFirst()
    const row = await readDelivery(trx, hook.id, id)
    if (numUpdatedRows > 0n) announceChange(trx, place, hook.id, id)
    return viewDelivery(row)
  })
}

/**
 * Sends the deliveries of a window of time again, oldest first, as `redeliver` does. Those that are due already are left alone,
 * so that the same call goes on where it ended.
 * @throws {DomainError} unprocessable for a hook that is not active.
 */
export async function replayDeliveries(
  ctx: UserCtx,
  { hook, place }: HookFor,
  input: ReplayInput,
): Promise<Replayed> {
  if (!isEnabled(hook)) throw unprocessable('the webhook is not active')
  return await withTransaction(ctx.db, async trx => {
    const found = await replayable(ctx, trx, hook.id, input).forUpdate().skipLocked().execute()
    const ids = found.slice(0, input.limit).map(({ id }) => id)
    await trx
      .updateTable('hook_deliveries')
      .set({ ...dueAgain(ctx, hook.target), cause: 'replay' })
      .where('id', '=', anyOf(ids))
      .execute()
    for (const id of ids) announceChange(trx, place, hook.id, id)
    return { count: ids.length, more: found.length > input.limit }
  })
}

/** Tells how many deliveries a replay would send again now. */
export async function countReplay(ctx: UserCtx, { hook }: HookFor, input: ReplayInput): Promise<Replayed> {
  const found = await replayable(ctx, ctx.db, hook.id, input).execute()
  return { count: Math.min(found.length, input.limit), more: found.length > input.limit }
}

// One more than are sent at once, to see whether there are more.
function replayable({ clock }: UserCtx, db: Db, hookId: number, { status, limit, ...filter }: ReplayInput) {
  return db
    .selectFrom('hook_deliveries')
    .select('id')
    .where(matches({ ...filter, status: status === 'all' ? undefined : status }))
    .where('hook_id', '=', hookId)
    .where(eb => eb.or([eb('status', '!=', 'pending'), eb('next_attempt_at', '>', clock.now())]))
    .orderBy('created_at')
    .orderBy('id')
    .limit(limit + 1)
}

// The number of tries tells where in its schedule a delivery is.
const dueAgain = ({ clock }: UserCtx, target: string) => ({
  status: 'pending' as const,
  next_attempt_at: clock.now(),
  leased_until: null,
  finished_at: null,
  tries: sql<number>`case when status = 'pending' then tries else 0 end`,
  target,
})
