import { setTimeout as sleep } from 'node:timers/promises'
import type { Dispatcher } from 'undici'
import type { Db } from '@/db/client'
import { anyOf } from '@/db/sql'
import { hubOf } from '@/server/events'
import type { ServiceCtx } from '@/server/kernel/ctx'
import type { Egress } from '@/server/kernel/egress/dispatcher'
import { decompress } from '@/server/kernel/gzip'
import { defineWorker, type WorkerOptions } from '@/server/kernel/jobs'
import type { Metrics } from '@/server/kernel/metrics'
import { settlesWithin } from '@/server/kernel/settles-within'
import { createWorkLoop, type WorkLoop } from '@/server/kernel/work-loop'
import { claimDue, endLeases, giveBack, measureQueue, nextDue } from './claim'
import type { DueDelivery } from './due'
import { type Answered, createLines, type Lines } from './lines'
import { isAskedFor, outcomeOf, reasonNotSent } from './outcome'
import { buildRequest, withoutCredentials } from './request'
import type { Exchange } from './send'
import { createResultWriter, type ResultWriter } from './writer'

/**
 * Worker in every process that sends due deliveries. Processes leave each other's claimed deliveries alone
 * until the leases expire.
 */
export const sendWebhooksWorker = defineWorker({
  name: 'webhooks.send',
  async run(ctx, options) {
    if (!ctx.config.webhooks) return
    let egress: Promise<Egress> | undefined
    const dispatcher = async (): Promise<Dispatcher> => {
      egress ??= openEgress(ctx)
      return (await egress).dispatcher
    }
    try {
      await sendUntilStopped(ctx, dispatcher, options)
    } finally {
      await (await egress)?.close()
    }
  },
})

// Loaded by the first delivery, like `send`, because undici takes megabytes of memory.
async function openEgress({ config }: ServiceCtx): Promise<Egress> {
  const { createEgress } = await import('@/server/kernel/egress/dispatcher')
  return createEgress(config.webhookAllowedHosts)
}

// The lease covers the time in the queue and the request. Deliveries whose lease is about to end are not
// started.
const leaseMs = 60_000
const minLeftMs = 15_000
const pollMs = 5_000
// A pause after a claim that was not full, so that deliveries that become due shortly after are claimed
// together.
const pauseMs = 10
const maxUnwritten = 1_000
// How long a delivery waits before it is checked again whether its account can hold more.
const notAdmittedMs = 1_000
/** Grace period in milliseconds for open requests when the process stops. */
const maxGraceMs = 5_000

interface Sending {
  ctx: ServiceCtx
  dispatcher: () => Promise<Dispatcher>
  lines: Lines
  writer: ResultWriter
  metrics: Metrics
  stopping: AbortSignal
  interrupted: AbortSignal
  /** Deliveries that this process claimed but did not send. */
  returned: DueDelivery[]
  /** Times until which receivers asked for no requests, by webhook ID. */
  busy: Map<number, Date>
}

/**
 * Sends due deliveries until the signal is aborted. Then gives the open requests a grace period and releases
 * the deliveries that were not sent.
 */
export async function sendUntilStopped(
  ctx: ServiceCtx,
  dispatcher: () => Promise<Dispatcher>,
  { signal, aloneAt, metrics, graceMs = maxGraceMs }: WorkerOptions & { graceMs?: number },
): Promise<void> {
  const loop = createWorkLoop(ctx)
  const interrupt = new AbortController()
  const sending: Sending = {
    ctx,
    dispatcher,
    lines: createLines(),
    writer: createResultWriter(ctx),
    metrics,
    stopping: signal,
    interrupted: interrupt.signal,
    returned: [],
    busy: new Map(),
  }
  const stopListening = hubOf(ctx.db).listen((signals, source) => {
    // Each process sends the deliveries that it made due itself.
    if (source === 'here' && signals.some(({ kind }) => kind === 'hook.delivery_changed')) loop.wake()
  })
  const measure = createMeasure(sending)
  try {
    if (aloneAt) await endLeases(ctx.db, new Date(aloneAt.getTime() + leaseMs))
    await loop.run(async () => {
      if (await beginDue(sending, loop)) return 0
      await measure()
      await sleep(pauseMs)
      return await idleMs(ctx)
    }, signal)
  } finally {
    stopListening()
    await settlesWithin(graceMs, sending.lines.empty())
    interrupt.abort(new Error('the process stops'))
    await sending.lines.empty()
    await sending.writer.end()
    await giveBack(ctx.db, sending.returned).catch(error =>
      ctx.log.warn({ err: error }, 'unsent webhook deliveries wait until their leases end'),
    )
  }
}

/** Claims due deliveries and queues them for sending. Returns whether more deliveries may be due. */
async function beginDue(sending: Sending, loop: WorkLoop): Promise<boolean> {
  const { ctx, lines, writer, returned, busy } = sending
  await giveBack(ctx.db, returned.splice(0))
  const limit = Math.min(lines.room(), maxUnwritten - writer.waiting())
  if (limit <= 0) return false
  const now = ctx.clock.now()
  for (const [hookId, until] of busy) if (until <= now) busy.delete(hookId)
  const claimed = await claimDue(ctx.db, {
    now,
    until: new Date(now.getTime() + leaseMs),
    limit,
    shares: lines.shares(),
    maxPerTarget: lines.maxPerTarget,
  })
  const payloads = await loadPayloads(ctx.db, claimed)
  for (const due of claimed) {
    if (!lines.admits(due.target, due.account_id)) {
      const next = new Date(now.getTime() + notAdmittedMs)
      writer.add({ due, outcome: { status: 'pending', next, busyUntil: undefined }, error: undefined })
      continue
    }
    void lines
      .enter(due.target, due.account_id, () => deliver(sending, due, payloads))
      .catch(error =>
        ctx.log.error(
          { err: error, delivery: due.uuid },
          'a webhook delivery was interrupted and waits until its lease ends',
        ),
      )
      .finally(() => loop.wake())
  }
  return claimed.length === limit
}

async function deliver(sending: Sending, due: DueDelivery, payloads: Payloads): Promise<Answered> {
  const { ctx, dispatcher, writer, metrics, stopping, interrupted, returned, busy } = sending
  const startedAt = ctx.clock.now()
  const isLate = due.leased_until.getTime() - startedAt.getTime() < minLeftMs
  if (stopping.aborted || isLate) {
    returned.push(due)
    return true
  }
  const reason = reasonNotSent(due)
  if (reason !== undefined) {
    writer.add({ due, outcome: { status: 'failed' }, error: reason })
    metrics.countDelivery('skipped')
    return true
  }
  // A person is waiting for the result of a manual delivery.
  const isByHand = due.kind !== 'event' || (isAskedFor(due.cause) && due.cause !== 'replay')
  const busyUntil = isByHand ? undefined : busy.get(due.hook_id)
  if (busyUntil && busyUntil > startedAt) {
    writer.add({
      due,
      outcome: { status: 'pending', next: busyUntil, busyUntil: undefined },
      error: undefined,
    })
    return true
  }
  let headers: Record<string, string> = {}
  let exchange: Exchange
  try {
    const request = buildRequest(ctx.config, due, await payloads(due.payload_id), startedAt)
    headers = withoutCredentials(request.headers)
    const { send } = await import('./send')
    exchange = await send(await dispatcher(), request, { interrupted })
  } catch (error) {
    if (interrupted.aborted) {
      returned.push(due)
      return true
    }
    ctx.log.error({ err: error, delivery: due.uuid }, 'a webhook delivery could not be sent')
    exchange = {
      durationMs: 0,
      error: 'not sent: the webhook or its payload could not be read; see the server log',
    }
  }
  const outcome = outcomeOf(due, exchange, ctx.clock.now(), Math.random())
  if (outcome.status === 'pending' && outcome.busyUntil) busy.set(due.hook_id, outcome.busyUntil)
  writer.add({ due, attempt: { startedAt, headers, exchange }, outcome, error: exchange.error })
  metrics.countDelivery(outcome.status === 'pending' ? 'retried' : outcome.status)
  return exchange.answer !== undefined
}

type Payloads = (id: number) => Promise<string>

// Webhooks with identical payloads share the decompressed text.
async function loadPayloads(db: Db, deliveries: readonly DueDelivery[]): Promise<Payloads> {
  const ids = [...new Set(deliveries.map(due => due.payload_id))]
  if (ids.length === 0) return () => Promise.reject(new Error('no payload'))
  const rows = await db
    .selectFrom('hook_payloads')
    .select(['id', 'body'])
    .where('id', '=', anyOf(ids))
    .execute()
  const bodies = new Map(rows.map(row => [row.id, row.body]))
  const texts = new Map<number, Promise<string>>()
  return id => {
    const known = texts.get(id)
    if (known) return known
    const opened = decompress(bodies.get(id) ?? Buffer.alloc(0)).then(body => body.toString('utf8'))
    texts.set(id, opened)
    return opened
  }
}

async function idleMs(ctx: ServiceCtx): Promise<number> {
  const now = ctx.clock.now()
  const next = await nextDue(ctx.db, now)
  return next ? Math.min(pollMs, next.getTime() - now.getTime()) : pollMs
}

const measureEveryMs = 15_000

function createMeasure({ ctx, metrics }: Sending): () => Promise<void> {
  let last = Number.NEGATIVE_INFINITY
  return async () => {
    if (performance.now() - last < measureEveryMs) return
    last = performance.now()
    metrics.observeDeliveryQueue(await measureQueue(ctx.db, ctx.clock.now()))
  }
}
