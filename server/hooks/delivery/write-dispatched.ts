import { randomUUID } from 'node:crypto'
import { sql, type Transaction } from 'kysely'
import type { Db } from '@/db/client'
import type { Database } from '@/db/tables'
import { withTransaction } from '@/db/transaction'
import { announce, takeLeased, webhookConsumer } from '@/server/events'
import { lockOwners } from '@/server/scopes'
import type { Trace } from '../trace'
import { type LockedHook, lockHooks } from './lock-hooks'
import type { Considered, Prepared } from './prepare'

/**
 * Writes the prepared webhook deliveries of events in one transaction: removes the events from the outbox and
 * inserts payloads, deliveries, and traces, which record whether each webhook was sent the event. Skips
 * events that another process has handled, and deleted webhooks.
 */
export async function writeDispatched(db: Db, prepared: readonly Prepared[], now: Date): Promise<void> {
  await withTransaction(db, async trx => {
    const claimed = await takeLeased(
      trx,
      webhookConsumer,
      prepared.map(({ event }) => event.id),
    )
    const ours = prepared.filter(({ event }) => claimed.has(event.id))
    await lockOwners(
      trx,
      ours.map(({ event }) => ({ accountId: event.ownerId, repositoryId: event.repositoryId })),
    )
    const hooks = await lockHooks(
      trx,
      ours.flatMap(({ considered }) => considered.filter(isQueued).map(({ hook }) => hook.id)),
    )
    const drafts = await draftsOf(trx, ours, hooks)
    await insertDeliveries(trx, drafts, now)
    await advanceSequences(trx, hooks)
    await insertTraces(trx, ours, drafts, now)
    for (const { event } of ours) {
      const { ownerId, repositoryId } = event
      announce(trx, { kind: 'event.considered', ownerId, repositoryId })
    }
    for (const { hook } of drafts) announce(trx, { kind: 'hook.delivery_changed', hookId: hook.id })
  })
}

type Queued = Extract<Considered, { body: Buffer }>
const isQueued = (considered: Considered): considered is Queued => 'body' in considered

/** A delivery that is about to be inserted. */
interface Draft {
  id: number
  payloadId: number
  uuid: string
  hook: LockedHook
  contentType: 'json' | 'form'
  prepared: Prepared
  sequence: number
  body: Buffer
}

// Ids are reserved first, because traces and deliveries refer to rows in the same insert. Each body is stored
// once, no matter how many deliveries send it.
async function draftsOf(
  trx: Transaction<Database>,
  prepared: readonly Prepared[],
  hooks: ReadonlyMap<number, LockedHook>,
): Promise<Draft[]> {
  const drafts = prepared.flatMap(each =>
    each.considered.filter(isQueued).flatMap(({ hook: { id, content_type: contentType }, body }) => {
      const hook = hooks.get(id)
      if (!hook) return []
      hook.last_sequence += 1
      return [
        {
          uuid: randomUUID(),
          hook,
          contentType,
          prepared: each,
          sequence: hook.last_sequence,
          body,
        },
      ]
    }),
  )
  const bodies = [...new Set(drafts.map(({ body }) => body))]
  const ids = await takeIds(trx, drafts.length, bodies.length)
  const payloadIds = new Map(bodies.map((body, at) => [body, ids.payloads[at]!]))
  return drafts.map((draft, at) => ({
    id: ids.deliveries[at]!,
    payloadId: payloadIds.get(draft.body)!,
    ...draft,
  }))
}

async function takeIds(
  trx: Transaction<Database>,
  deliveries: number,
  payloads: number,
): Promise<{ deliveries: number[]; payloads: number[] }> {
  const idsOf = (table: string, count: number) =>
    sql`array(select nextval(pg_get_serial_sequence(${table}, 'id')) from generate_series(1, ${count}::integer))`
  const { rows } = await sql<{ deliveries: number[]; payloads: number[] }>`
    select ${idsOf('hook_deliveries', deliveries)} as deliveries, ${idsOf('hook_payloads', payloads)} as payloads`.execute(
    trx,
  )
  return rows[0]!
}

async function insertDeliveries(
  trx: Transaction<Database>,
  drafts: readonly Draft[],
  now: Date,
): Promise<void> {
  if (drafts.length === 0) return
  const payloads = [...new Map(drafts.map(({ payloadId, body }) => [payloadId, body]))]
  const column = <T>(of: (draft: Draft) => T): T[] => drafts.map(of)
  await sql`
    with payloads as (
      insert into hook_payloads (id, body, created_at)
      select p.id, p.body, ${now} from unnest(
        ${payloads.map(([id]) => id)}::bigint[], ${payloads.map(([, body]) => body)}::bytea[]) as p (id, body))
    insert into hook_deliveries (id, uuid, hook_id, kind, event_id, event, event_type, sequence, content_type, payload_id,
      target, status, next_attempt_at, created_at)
    select d.id, d.uuid, d.hook_id, 'event', d.event_id, d.event, d.event_type, d.sequence, d.content_type, d.payload_id,
      d.target, 'pending', greatest(d.busy_until, ${now}), ${now}
    from unnest(
      ${column(({ id }) => id)}::bigint[], ${column(({ uuid }) => uuid)}::uuid[],
      ${column(({ hook }) => hook.id)}::bigint[], ${column(({ prepared }) => prepared.event.id)}::bigint[],
      ${column(({ prepared }) => prepared.payload!.event)}::text[],
      ${column(({ prepared }) => prepared.payload!.eventType)}::text[],
      ${column(({ sequence }) => sequence)}::bigint[], ${column(({ contentType }) => contentType)}::text[],
      ${column(({ payloadId }) => payloadId)}::bigint[], ${column(({ hook }) => hook.target)}::text[],
      ${column(({ hook }) => hook.busy_until)}::timestamptz[]
    ) as d (id, uuid, hook_id, event_id, event, event_type, sequence, content_type, payload_id, target, busy_until)`.execute(
    trx,
  )
}

async function advanceSequences(
  trx: Transaction<Database>,
  hooks: ReadonlyMap<number, LockedHook>,
): Promise<void> {
  if (hooks.size === 0) return
  const rows = [...hooks.values()]
  await sql`
    update hooks set last_sequence = h.sequence
    from unnest(
      ${rows.map(({ id }) => id)}::bigint[], ${rows.map(({ last_sequence: sequence }) => sequence)}::bigint[]
    ) as h (id, sequence)
    where hooks.id = h.id`.execute(trx)
}

async function insertTraces(
  trx: Transaction<Database>,
  prepared: readonly Prepared[],
  drafts: readonly Draft[],
  now: Date,
): Promise<void> {
  const rows = prepared.flatMap(each => {
    const queued = new Map(
      drafts.filter(draft => draft.prepared === each).map(({ id, hook }) => [hook.id, id]),
    )
    const considered = each.considered.flatMap((one): Trace[] => {
      const { id: hookId } = one.hook
      if ('skipped' in one) return [{ hookId, outcome: 'skipped', reason: one.skipped }]
      const deliveryId = queued.get(hookId)
      return deliveryId === undefined ? [] : [{ hookId, outcome: 'queued', deliveryId }]
    })
    return considered.length === 0 ? [] : [{ eventId: each.event.id, considered: JSON.stringify(considered) }]
  })
  if (rows.length === 0) return
  await sql`
    insert into hook_traces (event_id, considered, created_at)
    select t.id, t.considered::jsonb, ${now}
    from unnest(${rows.map(row => row.eventId)}::bigint[], ${rows.map(row => row.considered)}::text[]) as t (id, considered)`.execute(
    trx,
  )
}
