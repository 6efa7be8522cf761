import { setTimeout as sleep } from 'node:timers/promises'
import { isUnavailable } from '@/db/unavailable'
import {
  defineEventWorker,
  dropLeased,
  type LeasedEvent,
  leaseEvents,
  putOff,
  returnLeased,
  webhookConsumer,
} from '@/server/events'
import { createLimiter, type Limiter } from '@/server/kernel/concurrency-limit'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { settlesWithin } from '@/server/kernel/settles-within'
import { formatBody } from '../formats'
import { hookTypeOf, payloadOf } from '../payload'
import { type CandidateHook, selectHooksFor } from './match'
import { type Makers, type Prepared, prepareEvent } from './prepare'
import { writeDispatched } from './write-dispatched'

// A pause after each round lets events accumulate, because larger batches cost less.
const gatherMs = 10

const realMakers: Makers = { hookTypeOf, payloadOf, formatBody }

// The lease covers the time in which payloads are started and the time that the last of them takes to build.
const leaseMs = 60_000
const maxBeginMs = 15_000
const lateMs = 5_000
// Payloads that are ready by then are written while the others are still being built.
const writeEveryMs = 100
const maxEvents = 100
// Limits concurrent Git commands, so that one slow repository does not hold up the others.
const maxConcurrentGits = 4
const maxConcurrentGitsPerOwner = 2
const maxDeliveriesPerBatch = 2_000

/** Worker in every process that turns events into webhook deliveries. */
export const dispatchWebhooksWorker = defineEventWorker({
  name: 'webhooks.dispatch',
  consumer: webhookConsumer,
  leaseMs,
  maxEvents,
  async handle(ctx, signal) {
    const count = await dispatchEvents(ctx, realMakers, signal)
    if (count > 0 && count < maxEvents) await sleep(gatherMs)
    return count
  },
})

/**
 * Creates webhook deliveries for the events in the outbox and returns how many events it leased. An event
 * that fails is logged and retried with increasing delays. Failing or slow events do not delay other events.
 * No event is started after the signal is aborted.
 */
export async function dispatchEvents(
  ctx: ServiceCtx,
  makers: Makers = realMakers,
  signal?: AbortSignal,
): Promise<number> {
  const now = ctx.clock.now()
  const until = new Date(now.getTime() + leaseMs)
  const events = await leaseEvents(ctx.db, webhookConsumer, { limit: maxEvents, now, until })
  if (events.length === 0) return 0
  if (!ctx.config.webhooks) {
    const ids = events.map(({ id }) => id)
    await dropLeased(ctx.db, webhookConsumer, ids)
    return events.length
  }
  const hooks = await selectHooksFor(ctx.db, events)
  const ready: Prepared<LeasedEvent>[] = []
  const making = prepareAll(ctx, makers, { events, hooks, now, signal }, ready)
  for (let isOver = false; !isOver; ) {
    isOver = await settlesWithin(writeEveryMs, making)
    const made = ready.splice(0).sort((a, b) => a.event.id - b.event.id)
    for (const batch of batchesOf(made)) await writeBatch(ctx, batch)
  }
  return events.length
}

interface Leased {
  events: readonly LeasedEvent[]
  hooks: readonly CandidateHook[]
  now: Date
  signal: AbortSignal | undefined
}

/**
 * Builds the deliveries of each event, adds them to `ready` as soon as they are complete, and returns events
 * that it could not start in time to the outbox.
 */
async function prepareAll(
  ctx: ServiceCtx,
  makers: Makers,
  { events, hooks, now, signal }: Leased,
  ready: Prepared<LeasedEvent>[],
): Promise<void> {
  const limit = createLimiter({ concurrency: maxConcurrentGits, maxQueue: events.length })
  const limiters = new Map<number | null, Limiter>()
  const limiterOf = ({ repositoryId }: LeasedEvent): Limiter => {
    const made = createLimiter({ concurrency: maxConcurrentGitsPerOwner, maxQueue: events.length })
    const limiter = limiters.get(repositoryId) ?? made
    limiters.set(repositoryId, limiter)
    return limiter
  }
  const late: number[] = []
  const prepare = async (event: LeasedEvent): Promise<void> => {
    if (signal?.aborted || ctx.clock.now().getTime() - now.getTime() >= maxBeginMs) late.push(event.id)
    else
      await prepareEvent(ctx, makers, event, hooks).then(
        made => void ready.push(made),
        error => putOff(ctx, webhookConsumer, event, error),
      )
  }
  await Promise.all(
    events.map(event =>
      // All other kinds run concurrently: they are fast and share their queries.
      event.kind === 'git.pushed' ? limiterOf(event)(() => limit(() => prepare(event))) : prepare(event),
    ),
  )
  // The delay lets the next lease start with later events. On shutdown, other processes can lease the events
  // immediately.
  const waitMs = signal?.aborted ? 0 : lateMs
  await returnLeased(ctx.db, webhookConsumer, late, new Date(ctx.clock.now().getTime() + waitMs))
}

function batchesOf<P extends Prepared>(prepared: readonly P[]): P[][] {
  const batches: P[][] = []
  let size = maxDeliveriesPerBatch
  for (const each of prepared) {
    if (size + each.considered.length > maxDeliveriesPerBatch) {
      batches.push([])
      size = 0
    }
    batches.at(-1)?.push(each)
    size += each.considered.length
  }
  return batches
}

async function writeBatch(ctx: ServiceCtx, batch: readonly Prepared<LeasedEvent>[]): Promise<void> {
  try {
    await writeDispatched(ctx.db, batch, ctx.clock.now())
  } catch (error) {
    if (batch.length > 1 && !isUnavailable(error)) for (const each of batch) await writeBatch(ctx, [each])
    else await putOff(ctx, webhookConsumer, batch[0]!.event, error)
  }
}
