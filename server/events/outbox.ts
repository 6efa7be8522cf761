import { type RawBuilder, type Selectable, type SqlBool, sql, type Transaction } from 'kysely'
import type { Db } from '@/db/client'
import { anyOf } from '@/db/sql'
import type { Database } from '@/db/tables'
import type { EventsTable } from '@/db/tables/events'
import { type EventKind, readEvent, type StoredEvent } from './catalogue'

/** Something that handles every event of these kinds, once and after its commit. */
export interface EventConsumer {
  name: string
  kinds: readonly EventKind[]
  /** A condition on the columns of `events`: it gets only those that meet it when they are recorded. */
  concern?: RawBuilder<SqlBool>
}

// Runs can have a thousand jobs, so those who did not ask for them are not even considered.
const mayAsk = sql`(events.kind not like 'job.%' or 'workflow_job' = any (hooks.events))`

/** Webhooks: the kinds that something is made of in `hooks/payload`, where a hook stands that may ask for them. */
export const webhookConsumer: EventConsumer = {
  name: 'webhooks',
  kinds: [
    'git.pushed',
    'refs.changed',
    'ref.created',
    'ref.deleted',
    'repository.created',
    'repository.deleted',
    'repository.transferred',
    'release.published',
    'release.updated',
    'release.deleted',
    'org.created',
    'org.edited',
    'org.renamed',
    'org.deleted',
    'org.member_added',
    'org.member_removed',
    'team.created',
    'team.edited',
    'team.deleted',
    'team.repository_added',
    'team.repository_removed',
    'team.member_added',
    'team.member_removed',
    'key.added',
    'key.removed',
    'run.created',
    'run.retried',
    'run.started',
    'run.completed',
    'job.blocked',
    'job.queued',
    'job.started',
    'job.completed',
  ],
  concern: sql<SqlBool>`
    exists (select from hooks where hooks.scope = 'system' and ${mayAsk})
    or exists (select from hooks where hooks.owner_id = events.owner_id and ${mayAsk})
    or exists (select from hooks where hooks.repository_id = events.repository_id and ${mayAsk})`,
}

/** Workflows: what can start them. Of very many refs that are pushed together, the first ones do. */
export const workflowConsumer: EventConsumer = {
  name: 'workflows',
  kinds: [
    'git.pushed',
    'ref.created',
    'ref.deleted',
    'release.published',
    'release.updated',
    'release.deleted',
    // It can have another default branch.
    'repository.edited',
    // Its runs are canceled.
    'repository.transferred',
  ],
  concern: sql<SqlBool>`not coalesce((events.data ->> 'quiet')::boolean, false)`,
}

/**
 * All consumers. One that is added here, or wants another kind, gets what is recorded by processes that know of it: while
 * processes are replaced one by one that is not every event, and once all of them are new it is. Where that would lose
 * something, a migration that breaks older programs keeps them from recording any.
 */
export const consumers: readonly EventConsumer[] = [webhookConsumer, workflowConsumer]

/** Those who want events of this kind. */
export function consumersOf(kind: string, recipients: readonly EventConsumer[]): EventConsumer[] {
  return recipients.filter(({ kinds }) => kinds.includes(kind as EventKind))
}

/** Inserts events into the outboxes of consumers as far as they concern them, and returns their ids; each set of events is a table. */
export function insertIntoOutboxes(
  sets: readonly { consumer: EventConsumer; events: RawBuilder<unknown> }[],
): RawBuilder<{ event_id: number }> {
  const rows = sets.map(
    ({ consumer: { name, concern = sql<SqlBool>`true` }, events }) =>
      sql`select ${name}::text, events.id from ${events} as events where ${concern}`,
  )
  return sql`insert into event_outbox (consumer, event_id) ${sql.join(rows, sql` union all `)} returning event_id`
}

/**
 * Adds events to the outboxes of the consumers that want their kinds and that they concern, in the transaction that records
 * them. Gives the ids of those that are in an outbox now.
 */
export async function enqueue(
  trx: Transaction<Database>,
  events: readonly { id: number; kind: string }[],
  recipients: readonly EventConsumer[],
): Promise<Set<number>> {
  const sets = recipients.flatMap(consumer => {
    const ids = events.flatMap(({ id, kind }) => (consumersOf(kind, [consumer]).length > 0 ? [id] : []))
    return ids.length > 0 ? [{ consumer, events: sql`(select * from events where id = ${anyOf(ids)})` }] : []
  })
  if (sets.length === 0) return new Set()
  const { rows } = await insertIntoOutboxes(sets).execute(trx)
  return new Set(rows.map(({ event_id }) => event_id))
}

/** An event with its row's columns, as a consumer gets it. */
export type ClaimedEvent = StoredEvent & {
  id: number
  actorId: number | null
  ownerId: number | null
  repositoryId: number | null
  createdAt: Date
}

/** The columns that make a `ClaimedEvent`. */
export const claimedColumns = [
  'id',
  'kind',
  'data',
  'actor_id',
  'owner_id',
  'repository_id',
  'created_at',
] as const

type ClaimedRow = Pick<Selectable<EventsTable>, (typeof claimedColumns)[number]>

/** Makes what a consumer gets of an event's row; undefined for a kind that this version does not know. */
export function claimedEventOf(row: ClaimedRow): ClaimedEvent | undefined {
  const event = readEvent(row)
  if (!event) return undefined
  return {
    ...event,
    id: row.id,
    actorId: row.actor_id,
    ownerId: row.owner_id,
    repositoryId: row.repository_id,
    createdAt: row.created_at,
  }
}

/** An event that is leased, and how often it was before: what fails again and again is retried less and less often. */
export type LeasedEvent = ClaimedEvent & { leases: number }

/** Whether any of these events still waits for a consumer, or is being handled by it. */
export async function isWaiting(db: Db, { name }: EventConsumer, ids: readonly number[]): Promise<boolean> {
  const row = await db
    .selectFrom('event_outbox')
    .select('event_id')
    .where('consumer', '=', name)
    .where('event_id', '=', anyOf(ids))
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Leases up to `limit` events of a consumer's outbox until a time, lowest id first: others get other events until then,
 * and these again afterwards unless `takeLeased` took them. Ids do not tell the order of commits, so a later lease may bring
 * a lower id. Kinds that this version of the consumer does not want stay for the version that does; nothing given means
 * that nothing is left for this one.
 */
export async function leaseEvents(
  db: Db,
  consumer: EventConsumer,
  { limit, now, until }: { limit: number; now: Date; until: Date },
): Promise<LeasedEvent[]> {
  const { name, kinds } = consumer
  const isFree = sql`(leased_until is null or leased_until <= ${now})`
  // Row by row through the index, as far as is needed: the planner, whose statistics tell of an empty table, would read and sort
  // all that waits. Twice as far, as another process may lock the first rows at this instant.
  const { rows } = await sql<ClaimedRow & { leases: number }>`
    with recursive waiting as (
      (select event_id, leased_until from event_outbox where consumer = ${name} order by event_id limit 1)
      union all
      select next.* from waiting cross join lateral (
        select event_id, leased_until from event_outbox
        where consumer = ${name} and event_id > waiting.event_id order by event_id limit 1) next
    ),
    found as (
      select event_id from waiting
      where ${isFree} and (select kind from events where id = event_id) = any (${[...kinds]}::text[])
      limit ${2 * limit}
    ),
    locked as (
      select event_id from event_outbox
      where consumer = ${name} and event_id = any (array(select event_id from found)) and ${isFree}
      order by event_id limit ${limit} for update skip locked
    )
    update event_outbox set leased_until = ${until}, leases = leases + 1 from events
    where consumer = ${name} and event_id = any (array(select event_id from locked)) and events.id = event_id
    returning leases, ${sql.join(claimedColumns.map(column => sql.ref(`events.${column}`)))}`.execute(db)
  return rows.sort((a, b) => a.id - b.id).map(row => ({ ...claimedEventOf(row)!, leases: row.leases }))
}

/**
 * Takes leased events out of the outbox for good, with whatever else this transaction writes for them. Gives the ids of
 * those that were still there: another process has handled the others, whose lease had run out.
 */
export async function takeLeased(
  trx: Transaction<Database>,
  consumer: EventConsumer,
  eventIds: readonly number[],
): Promise<Set<number>> {
  const claimed = await trx
    .deleteFrom('event_outbox')
    .where('consumer', '=', consumer.name)
    .where('event_id', '=', anyOf(eventIds))
    .returning('event_id')
    .execute()
  return new Set(claimed.map(row => row.event_id))
}

/** Ends or prolongs the lease of events that could not be handled: they are given out again at that time. */
export async function postponeLeased(
  db: Db,
  consumer: EventConsumer,
  eventIds: readonly number[],
  until: Date,
): Promise<void> {
  await db
    .updateTable('event_outbox')
    .set({ leased_until: until })
    .where('consumer', '=', consumer.name)
    .where('event_id', '=', anyOf(eventIds))
    .execute()
}

/** As `postponeLeased` does, for events that nothing was tried with: this lease of theirs does not count. */
export async function returnLeased(
  db: Db,
  consumer: EventConsumer,
  eventIds: readonly number[],
  until: Date,
): Promise<void> {
  await db
    .updateTable('event_outbox')
    .set(eb => ({ leased_until: until, leases: eb('leases', '-', 1) }))
    .where('consumer', '=', consumer.name)
    .where('event_id', '=', anyOf(eventIds))
    .execute()
}

/** Ends the leases of a consumer that would end by a time: those of a process that was killed, or what failed of late. */
export async function endEventLeases(db: Db, consumer: EventConsumer, endingBy: Date): Promise<void> {
  await db
    .updateTable('event_outbox')
    .set({ leased_until: null })
    .where('consumer', '=', consumer.name)
    .where('leased_until', '<=', endingBy)
    .execute()
}
