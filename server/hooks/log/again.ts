import { sql } from 'kysely'
import type { Db } from '@/db/client'
import { anyOf } from '@/db/sql'
import { withTransaction } from '@/db/transaction'
import { announce } from '@/server/events'
import type { UserCtx } from '@/server/kernel/ctx'
import { unprocessable } from '@/server/kernel/errors'
import { type CursorPage, pageBeforeCursor } from '@/server/kernel/pagination'
import type { HookFor } from '../load'
import { isEnabled } from '../view'
import type { HookDelivery, Replayed, ReplayInput } from './schema'
import { liesBeyond, matches, readDelivery } from './store'
import { viewDelivery } from './view'

/**
 * Sends a delivery again at once, the same bytes under the same id, even where the hook is not active. One that is over begins
 * its schedule anew; one that waits for its next retry makes it now, and goes on with its schedule from there. One that is
 * being sent at this moment is left alone.
 * @throws {DomainError} notFound for a delivery of another hook; tooManyRequests after many redeliveries in a minute.
 */
export async function redeliver(ctx: UserCtx, { hook }: HookFor, id: number): Promise<HookDelivery> {
  await readDelivery(ctx.db, hook.id, id)
  await ctx.loginLimiter.countRedeliveries(hook.id, 1)
  return await withTransaction(ctx.db, async trx => {
    const { numUpdatedRows } = await trx
      .updateTable('hook_deliveries')
      .set({ ...dueAgain(ctx, hook.target), cause: retryOrRedelivery })
      .where('hook_id', '=', hook.id)
      .where('id', '=', id)
      .where(eb => eb.or([eb('leased_until', 'is', null), eb('leased_until', '<=', ctx.clock.now())]))
      .executeTakeFirst()
    const row = await readDelivery(trx, hook.id, id)
    if (numUpdatedRows > 0n) announce(trx, { kind: 'hook.delivery_changed', hookId: hook.id })
    return viewDelivery(row)
  })
}

/**
 * Sends the deliveries of a window of time again, oldest first, as `redeliver` does; `next` is where another call goes on. Those
 * that are due already are left alone.
 * @throws {DomainError} unprocessable for a hook that is not active; tooManyRequests after many redeliveries in a minute.
 */
export async function replayDeliveries(ctx: UserCtx, found: HookFor, input: ReplayInput): Promise<Replayed> {
  const { hook } = found
  if (!isEnabled(hook)) throw unprocessable('the webhook is not active')
  // Before the transaction: the limiter has a connection of its own.
  const { count } = await countReplay(ctx, found, input)
  if (count === 0) return { count, next: null }
  await ctx.loginLimiter.countRedeliveries(hook.id, count)
  return await withTransaction(ctx.db, async trx => {
    const page = await selectReplayable(ctx, trx, hook.id, { ...input, limit: count }, { lock: true })
    const ids = page.items.map(({ id }) => id)
    await trx
      .updateTable('hook_deliveries')
      .set({ ...dueAgain(ctx, hook.target), cause: 'replay' })
      .where('id', '=', anyOf(ids))
      .execute()
    if (ids.length > 0) announce(trx, { kind: 'hook.delivery_changed', hookId: hook.id })
    return { count: ids.length, next: page.next }
  })
}

/** Tells how many deliveries a replay would send again now, and where another one would go on. */
export async function countReplay(ctx: UserCtx, { hook }: HookFor, input: ReplayInput): Promise<Replayed> {
  const { items, next } = await selectReplayable(ctx, ctx.db, hook.id, input)
  return { count: items.length, next }
}

async function selectReplayable(
  { clock }: UserCtx,
  db: Db,
  hookId: number,
  { status, limit, cursor, ...filter }: ReplayInput,
  { lock = false } = {},
): Promise<CursorPage<{ id: number }>> {
  const found = db
    .selectFrom('hook_deliveries')
    .select('id')
    .where(matches({ ...filter, status: status === 'all' ? undefined : status }))
    .where('hook_id', '=', hookId)
    .where(eb => eb.or([eb('status', '!=', 'pending'), eb('next_attempt_at', '>', clock.now())]))
    .$if(lock, deliveries => deliveries.forUpdate().skipLocked())
  const left = cursor === undefined ? found : found.where(await liesBeyond(db, hookId, cursor, 'newer'))
  const rows = await left
    .orderBy('created_at')
    .orderBy('id')
    .limit(limit + 1)
    .execute()
  return pageBeforeCursor(limit, rows)
}

// Whatever is asked for twice, and was not sent in between, is no retry yet.
const retryOrRedelivery = sql<'manual_retry' | 'redelivery'>`
  case when status = 'pending' and tries > 0 then 'manual_retry' else 'redelivery' end`

// The number of tries tells where in its schedule a delivery is.
const dueAgain = ({ clock }: UserCtx, target: string) => ({
  status: 'pending' as const,
  next_attempt_at: clock.now(),
  leased_until: null,
  finished_at: null,
  tries: sql<number>`case when status = 'pending' then tries else 0 end`,
  target,
})
