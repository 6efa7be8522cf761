import { fork } from 'node:child_process'
import { once } from 'node:events'
import { sql } from 'kysely'
import type { Db } from '@/db/client'
import type { ServerData } from '../server-process'
import type { Receipt } from './receiver'
import { type Receivers, startReceivers } from './receivers'
import { type Site, startSite } from './site'

const rounds = 3
const deliveries = Number(process.env.BENCH_DELIVERIES ?? 3_000)
const maxHooks = 100
const hangRounds = 12
const hangEvents = 80
const everyMs = 50
const held = 1.1
const out = (line = '') => process.stdout.write(`${line}\n`)

/**
 * Measures webhook deliveries on PostgreSQL. Prints how many events per second reach the receivers of 1, 10
 * and 100 webhooks, next to a baseline that only reads, signs and sends; the time from an event's commit to
 * its arrival; and how much a receiver that never responds delays deliveries to the others.
 */
export async function benchHooks(data: ServerData & { databaseUrl: string }): Promise<void> {
  // Each round with a receiver that never responds uses two new receivers, because Guildhall remembers hosts
  // that time out.
  const receivers = await startReceivers(maxHooks + 2 * hangRounds)
  const site = await startSite(data, 4614)
  const urls = receivers.ports.map(port => `http://127.0.0.1:${port}/`)
  try {
    await site.addHook(urls[0]!)
    await contest(data.databaseUrl, site, receivers, 1)
    for (const url of urls.slice(1, 10)) await site.addHook(url)
    await contest(data.databaseUrl, site, receivers, 10)
    await hang(site, receivers, urls.slice(maxHooks))
    for (const url of urls.slice(10, maxHooks)) await site.addHook(url)
    await contest(data.databaseUrl, site, receivers, maxHooks)
  } finally {
    await site.stop()
    await receivers.stop()
  }
}

/**
 * Prints how many webhook deliveries per second reach 10 receivers on the embedded database, while API calls
 * create the events one after another.
 */
export async function benchEmbeddedHooks(data: ServerData): Promise<void> {
  const hooks = 10
  const events = 200
  const receivers = await startReceivers(hooks)
  const site = await startSite(data, 4614)
  const rates: number[] = []
  try {
    for (const port of receivers.ports) await site.addHook(`http://127.0.0.1:${port}/`)
    for (let round = 0; round < rounds; round++) {
      const begun = performance.timeOrigin + performance.now()
      await site.makeSome(events, 0)
      rates.push(rateOf(await receivers.got(events * hooks), begun))
    }
    const rate = median(rates)
    out(
      `    ${hooks} hooks ${(rate / hooks).toFixed(0)} events/s, ${rate.toFixed(0)} deliveries/s, while API calls create the events`,
    )
  } finally {
    await site.stop()
    await receivers.stop()
  }
}

async function contest(databaseUrl: string, site: Site, receivers: Receivers, hooks: number): Promise<void> {
  const rates = { ours: [] as number[], bare: [] as number[] }
  await deliver(site, receivers, hooks, 10)
  // Guildhall and the baseline take turns, so that background load affects both equally.
  for (let round = 0; round < rounds; round++) {
    const before = await lastDelivery(site.db)
    rates.ours.push(await deliver(site, receivers, hooks, Math.round(deliveries / hooks)))
    rates.bare.push(await sendAgain(databaseUrl, before, await lastDelivery(site.db)))
    await receivers.got(0)
  }
  const [ours, bare] = [median(rates.ours), median(rates.bare)]
  // Events arrive at a quarter of the maximum rate, so that latencies do not include time in the queue.
  const interval = Math.max(everyMs, (4 * 1000 * hooks) / ours)
  const latencies = await latenciesOf(
    site,
    receivers,
    hooks,
    Math.min(200, Math.ceil(2_000 / hooks)),
    interval,
  )
  out(
    `    ${String(hooks).padStart(3)} ${hooks === 1 ? 'hook ' : 'hooks'} ${(ours / hooks).toFixed(0).padStart(5)} events/s, ` +
      `${ours.toFixed(0).padStart(5)} deliveries/s, baseline ${bare.toFixed(0)}: ratio ${((100 * ours) / bare).toFixed(0)}%   ` +
      `at ${(1000 / interval).toFixed(0)} events/s p50 ${quantile(latencies, 0.5).toFixed(0)} ms   ` +
      `p99 ${quantile(latencies, 0.99).toFixed(0)} ms`,
  )
}

/**
 * Records many events in one transaction. Returns the deliveries per second from the commit to the arrival of
 * the last delivery.
 */
async function deliver(site: Site, receivers: Receivers, hooks: number, events: number): Promise<number> {
  const committed = await site.recordMany(events)
  return rateOf(await receivers.got((events + 1) * hooks), committed)
}

const rateOf = (receipts: readonly Receipt[], since: number): number =>
  (1000 * receipts.length) / (Math.max(...receipts.map(({ at }) => at)) - since)

async function sendAgain(databaseUrl: string, first: number, last: number): Promise<number> {
  const sender = fork('dist/bench-bare-sender.js', [String(first), String(last)], {
    env: { ...process.env, DATABASE_URL: databaseUrl },
  })
  const [rate] = (await once(sender, 'message')) as [number]
  await once(sender, 'exit')
  return rate
}

/**
 * Prints the 99th percentile of the latency of 10 webhooks next to another webhook whose receiver responds,
 * and next to one whose receiver never responds. Needs two URLs for each round.
 */
async function hang(site: Site, receivers: Receivers, urls: readonly string[]): Promise<void> {
  const p99 = { answering: [] as number[], hanging: [] as number[] }
  for (const [at, url] of urls.entries()) {
    const kind = at % 2 === 0 ? 'answering' : 'hanging'
    const remove = await site.addHook(kind === 'hanging' ? `${url}hang` : url)
    const hooks = kind === 'hanging' ? 10 : 11
    const latencies = await latenciesOf(site, receivers, hooks, hangEvents, everyMs, 10)
    p99[kind].push(quantile(latencies, 0.99))
    await remove()
  }
  const [before, after] = [median(p99.answering), median(p99.hanging)]
  const ratio = after / before
  out(
    `    p99 of 10 hooks: ${before.toFixed(0)} ms if another receiver responds, ${after.toFixed(0)} ms if it never responds: ` +
      `ratio ${ratio.toFixed(2)}${ratio > held ? `  ABOVE ${held}` : ''}`,
  )
}

/**
 * Creates events one by one. Returns the latency of each delivery to the first `counted` receivers in
 * milliseconds, from the commit of the event to the arrival of the request.
 */
async function latenciesOf(
  site: Site,
  receivers: Receivers,
  hooks: number,
  events: number,
  interval: number,
  counted = hooks,
): Promise<number[]> {
  await site.makeSome(events, interval)
  const receipts = await receivers.got(events * hooks)
  const committed = await commits(site.db, receipts)
  const ports = new Set(receivers.ports.slice(0, counted))
  return receipts.filter(({ port }) => ports.has(port)).map(({ uuid, at }) => at - committed.get(uuid)!)
}

/**
 * Returns the commit time of the event of each delivery, by the UUID of the delivery. Uses the start of the
 * transaction if the database does not record commit times.
 */
async function commits(db: Db, receipts: readonly Receipt[]): Promise<Map<string, number>> {
  const { rows } = await sql<{ uuid: string; at: number }>`
    select d.uuid, 1000 * extract(epoch from case when current_setting('track_commit_timestamp')::boolean
      then pg_xact_commit_timestamp(e.xmin) else e.created_at end)::float8 as at
    from hook_deliveries d join events e on e.id = d.event_id
    where d.uuid = any (${receipts.map(({ uuid }) => uuid)}::uuid[])`.execute(db)
  return new Map(rows.map(({ uuid, at }) => [uuid, at]))
}

async function lastDelivery(db: Db): Promise<number> {
  const { rows } = await sql<{ id: number }>`select coalesce(max(id), 0) as id from hook_deliveries`.execute(
    db,
  )
  return Number(rows[0]?.id)
}

function quantile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] as number
}

const median = (values: readonly number[]): number => quantile(values, 0.5)
