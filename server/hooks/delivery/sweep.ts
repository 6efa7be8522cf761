import { sql } from 'kysely'
import type { Db } from '@/db/client'
import { affectedRows, inSubquery } from '@/db/sql'
import { dayMs } from '@/server/kernel/clock'
import { defineJob } from '@/server/kernel/jobs'

const batchSize = 1_000

/**
 * Background job that deletes, in small batches, finished webhook deliveries older than the retention period,
 * all deliveries of deleted webhooks, payloads without deliveries, and old traces, which record whether each
 * webhook was sent an event.
 */
export const sweepDeliveriesJob = defineJob({
  name: 'webhooks.sweep',
  async run({ db, clock, config }, signal) {
    const before = new Date(clock.now().getTime() - config.webhookLogDays * dayMs)
    return {
      deliveries: await inBatches(signal, () => deleteDeliveries(db, before)),
      orphans: await deleteOrphans(db, signal),
      traces: await inBatches(signal, () => deleteTraces(db, before)),
      payloads: await deleteOrphanedPayloads(db, signal, new Date(clock.now().getTime() - dayMs)),
    }
  },
})

async function inBatches(signal: AbortSignal, deleteSome: () => Promise<number>): Promise<number> {
  let deleted = 0
  while (!signal.aborted) {
    const some = await deleteSome()
    deleted += some
    if (some < batchSize) break
  }
  return deleted
}

async function deleteDeliveries(db: Db, before: Date): Promise<number> {
  const old = db
    .selectFrom('hook_deliveries')
    .select('id')
    .where('created_at', '<', before)
    .where('status', '!=', 'pending')
    .orderBy('created_at')
    .limit(batchSize)
  const result = await db.deleteFrom('hook_deliveries').where(inSubquery('id', old)).executeTakeFirst()
  return affectedRows(result)
}

async function deleteOrphans(db: Db, signal: AbortSignal): Promise<number> {
  let deleted = 0
  for (const hookId of await idsOfDeletedHooks(db)) {
    const some = db.selectFrom('hook_deliveries').select('id').where('hook_id', '=', hookId).limit(batchSize)
    deleted += await inBatches(signal, async () =>
      affectedRows(await db.deleteFrom('hook_deliveries').where(inSubquery('id', some)).executeTakeFirst()),
    )
  }
  return deleted
}

// Jumps from webhook to webhook through the index, regardless of how many deliveries each has.
async function idsOfDeletedHooks(db: Db): Promise<number[]> {
  const { rows } = await sql<{ hook_id: number }>`
    with recursive known (hook_id) as (
      (select hook_id from hook_deliveries order by hook_id limit 1)
      union all
      select (select d.hook_id from hook_deliveries d where d.hook_id > k.hook_id order by d.hook_id limit 1)
      from known k where k.hook_id is not null
    )
    select hook_id from known k
    where hook_id is not null and not exists (select from hooks where hooks.id = k.hook_id)`.execute(db)
  return rows.map(row => row.hook_id)
}

async function deleteTraces(db: Db, before: Date): Promise<number> {
  const old = db
    .selectFrom('hook_traces')
    .select('event_id')
    .where('created_at', '<', before)
    .orderBy('created_at')
    .limit(batchSize)
  const result = await db.deleteFrom('hook_traces').where(inSubquery('event_id', old)).executeTakeFirst()
  return affectedRows(result)
}

/**
 * Deletes payloads without deliveries, and returns how many. The deliveries were swept, or belonged to a
 * deleted webhook.
 */
async function deleteOrphanedPayloads(db: Db, signal: AbortSignal, before: Date): Promise<number> {
  let deleted = 0
  let after: number | null = 0
  while (after !== null && !signal.aborted) {
    const { rows }: { rows: { last: number | null; deleted: number }[] } = await sql<{
      last: number | null
      deleted: number
    }>`
      with looked_at as (
        select id from hook_payloads where id > ${after} and created_at < ${before} order by id limit ${batchSize}),
      deleted as (
        delete from hook_payloads p using looked_at l
        where p.id = l.id and not exists (select from hook_deliveries d where d.payload_id = p.id)
        returning p.id)
      select (select max(id) from looked_at) as last, (select count(*) from deleted) as deleted`.execute(db)
    deleted += rows[0]?.deleted ?? 0
    after = rows[0]?.last ?? null
  }
  return deleted
}
