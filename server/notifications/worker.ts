import { withTransaction } from '@/db/transaction'
import { isUnavailable } from '@/db/unavailable'
import {
  defineEventWorker,
  type LeasedEvent,
  leaseEvents,
  notificationConsumer,
  putOff,
  takeLeased,
} from '@/server/events'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { notificationsOf } from './recipients'
import { writeNotifications } from './write'

const leaseMs = 60_000
const maxEvents = 100

/** Worker in every process that notifies people of events. */
export const writeNotificationsWorker = defineEventWorker({
  name: 'notifications.write',
  consumer: notificationConsumer,
  leaseMs,
  maxEvents,
  handle: notifyOfEvents,
})

/**
 * Writes the notifications of waiting events and returns how many events it leased. An event that fails is logged and
 * retried with increasing delays, without delaying others.
 */
export async function notifyOfEvents(ctx: ServiceCtx): Promise<number> {
  const now = ctx.clock.now()
  const until = new Date(now.getTime() + leaseMs)
  const events = await leaseEvents(ctx.db, notificationConsumer, { limit: maxEvents, now, until })
  if (events.length > 0) await handle(ctx, events)
  return events.length
}

async function handle(ctx: ServiceCtx, events: readonly LeasedEvent[]): Promise<void> {
  try {
    const notifications = await notificationsOf(ctx.db, events)
    await withTransaction(ctx.db, async trx => {
      const claimed = await takeLeased(
        trx,
        notificationConsumer,
        events.map(({ id }) => id),
      )
      const due = notifications.filter(({ event_id }) => event_id !== null && claimed.has(event_id))
      await writeNotifications(trx, due, ctx.clock.now())
    })
  } catch (error) {
    if (events.length > 1 && !isUnavailable(error)) for (const event of events) await handle(ctx, [event])
    else await putOff(ctx, notificationConsumer, events[0]!, error)
  }
}
