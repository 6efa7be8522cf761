import { isUnavailable } from '@/db/unavailable'
import type { ServiceCtx } from '@/server/kernel/ctx'
import type { Worker } from '@/server/kernel/jobs'
import { createWorkLoop } from '@/server/kernel/work-loop'
import { hubOf } from './hub'
import { type EventConsumer, endEventLeases, type LeasedEvent, postponeLeased } from './outbox'

interface EventWork {
  name: string
  consumer: EventConsumer
  /** Duration of the leases taken by `handle`, in milliseconds. */
  leaseMs: number
  /** The most events that `handle` leases at a time. */
  maxEvents: number
  /**
   * Handles some of the waiting events and returns how many it leased, or `maxEvents` if it returned some of them
   * that can be leased again at once. It starts none after the signal is aborted.
   */
  handle(ctx: ServiceCtx, signal: AbortSignal): Promise<number>
}

const pollMs = 5_000

/**
 * Defines the worker that handles a consumer's events as soon as they are queued. It runs in every process.
 */
export const defineEventWorker = ({ name, consumer, leaseMs, maxEvents, handle }: EventWork): Worker => ({
  name,
  async run(ctx, { signal, aloneAt }) {
    const loop = createWorkLoop(ctx)
    // Other processes handle their own events.
    const stopListening = hubOf(ctx.db).listen(signals => {
      if (signals.some(signal => 'id' in signal && signal.queuedFor?.includes(consumer.name))) loop.wake()
    })
    try {
      if (aloneAt) await endEventLeases(ctx.db, consumer, new Date(aloneAt.getTime() + leaseMs))
      await loop.run(async () => ((await handle(ctx, signal)) === maxEvents ? 0 : pollMs), signal)
    } finally {
      stopListening()
    }
  },
})

const minPutOffMs = 5_000
const maxPutOffMs = 60 * 60_000

/**
 * Logs that an event could not be processed and schedules a retry with exponential backoff.
 * @throws the passed error, without scheduling a retry, if it means that the database is unavailable
 */
export async function putOff(
  ctx: ServiceCtx,
  consumer: EventConsumer,
  { id, kind, leases }: LeasedEvent,
  error: unknown,
): Promise<void> {
  if (isUnavailable(error)) throw error
  const about = { consumer: consumer.name, event: id, kind, tries: leases }
  ctx.log.error({ err: error, ...about }, 'an event could not be handled')
  const waitMs = Math.min(minPutOffMs * 2 ** (leases - 1), maxPutOffMs)
  await postponeLeased(ctx.db, consumer, [id], new Date(ctx.clock.now().getTime() + waitMs))
}
