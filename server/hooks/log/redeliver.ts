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
 * Schedules a webhook delivery to be sent again immediately with the same payload and ID, even if the webhook
 * is inactive. A finished delivery restarts its retry schedule; a pending one continues it. Does nothing if
 * the delivery is currently being sent.
 * @throws {DomainError} notFound if the webhook has no such delivery; tooManyRequests if too many
 * redeliveries of the webhook were requested within a minute.
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
 * Schedules deliveries of a webhook that match a filter, such as a time window, to be sent again, oldest
 * first. Returns their number and the cursor for the next call. Skips deliveries that are already due.
 * @throws {DomainError} unprocessable if the webhook is not active; tooManyRequests if too many redeliveries
 * of the webhook were requested within a minute.
 */
export async function replayDeliveries(ctx: UserCtx, found: HookFor, input: ReplayInput): Promise<Replayed> {
  const { hook } = found
  if (!isEnabled(hook)) throw unprocessable('The webhook is not active.')
  // Runs before the transaction, because the limiter uses its own connection.
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

/** Returns how many deliveries a replay would send now, and the cursor for the next call. */
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

// The second of two requests without an attempt in between is not a retry.
const retryOrRedelivery = sql<'manual_retry' | 'redelivery'>`
  case when status = 'pending' and tries > 0 then 'manual_retry' else 'redelivery' end`

// The number of attempts is the position in the schedule.
const dueAgain = ({ clock }: UserCtx, target: string) => ({
  status: 'pending' as const,
  next_attempt_at: clock.now(),
  leased_until: null,
  finished_at: null,
  tries: sql<number>`case when status = 'pending' then tries else 0 end`,
  target,
})
