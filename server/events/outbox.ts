import { type RawBuilder, type Selectable, type SqlBool, sql, type Transaction } from 'kysely'
import type { Db } from '@/db/client'
import { anyOf } from '@/db/sql'
import type { Database } from '@/db/tables'
import type { EventsTable } from '@/db/tables/events'
import { type EventKind, readEvent, type StoredEvent } from './catalogue'

/**
 * A consumer that processes each event of certain kinds once, after the transaction that records the event
 * has committed.
 */
export interface EventConsumer {
  name: string
  kinds: readonly EventKind[]
  /**
   * SQL condition on the columns of `events`. The consumer gets only the events that meet it when they are
   * recorded.
   */
  concern?: RawBuilder<SqlBool>
}

// Runs can have a thousand jobs, so webhooks that did not subscribe to jobs or statuses are excluded early.
const mayAsk = sql`(events.kind not like 'job.%' or 'workflow_job' = any (hooks.events))
  and (events.kind <> 'status.created' or 'status' = any (hooks.events))`

/**
 * Event consumer for webhooks. It receives events of the kinds that webhooks can deliver, if a webhook of the
 * site, of the event's owner or of the event's repository may subscribe to them.
 */
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
    'status.created',
  ],
  concern: sql<SqlBool>`
    exists (select from hooks where hooks.scope = 'system' and ${mayAsk})
    or exists (select from hooks where hooks.owner_id = events.owner_id and ${mayAsk})
    or exists (select from hooks where hooks.repository_id = events.repository_id and ${mayAsk})`,
}

/**
 * Event consumer for workflows. It receives the events that can start workflow runs. If a push changes very
 * many refs, only the first ones start runs.
 */
export const workflowConsumer: EventConsumer = {
  name: 'workflows',
  kinds: [
    'git.pushed',
    'ref.created',
    'ref.deleted',
    'release.published',
    'release.updated',
    'release.unpublished',
    'release.deleted',
    'run.created',
    'run.started',
    'run.completed',
    // The default branch may have changed.
    'repository.edited',
    // A transfer cancels the repository's runs.
    'repository.transferred',
  ],
  concern: sql<SqlBool>`not coalesce((events.data ->> 'quiet')::boolean, false)
    and (events.kind not like 'run.%' or exists (
      select from repositories where repositories.id = events.repository_id and repositories.follows_runs))`,
}

/** Event consumer for notifications. It receives the events that people are notified of. */
export const notificationConsumer: EventConsumer = {
  name: 'notifications',
  kinds: [
    'run.completed',
    'repository.transfer_requested',
    'team.member_added',
    'collaborator.added',
    'hook.disabled',
  ],
  concern: sql<SqlBool>`events.kind <> 'run.completed' or events.data ->> 'conclusion' = 'failure'`,
}

/**
 * All event consumers. A consumer added here, or a kind of event added to a consumer, is known only to
 * processes of the new version, so events that older processes record during a rolling upgrade are not
 * delivered. If missing these events would lose data, add a migration that older versions do not accept, so
 * that they cannot record events.
 */
export const consumers: readonly EventConsumer[] = [webhookConsumer, workflowConsumer, notificationConsumer]

/** An event that has been added to the outbox of a consumer. */
export interface QueuedRow {
  consumer: string
  event_id: number
}

/**
 * Returns an SQL statement that adds the events in the table expression `recorded` to the outboxes of the
 * consumers that subscribe to their kinds and whose condition they meet, and returns the added rows. `kinds`
 * are the kinds of the events.
 */
export function insertIntoOutboxes(
  kinds: readonly EventKind[],
  recipients: readonly EventConsumer[],
): RawBuilder<QueuedRow> {
  const rows = recipients.flatMap(({ name, kinds: wanted, concern = sql<SqlBool>`true` }) => {
    const sought = kinds.filter(kind => wanted.includes(kind))
    if (sought.length === 0) return []
    const isWanted = sought.length === kinds.length ? sql`true` : sql`events.kind = any (${sought}::text[])`
    return [sql`select ${name}::text, events.id from recorded as events where ${isWanted} and (${concern})`]
  })
  if (rows.length === 0) return sql`select null::text as consumer, null::bigint as event_id where false`
  return sql`insert into event_outbox (consumer, event_id) ${sql.join(rows, sql` union all `)} returning consumer, event_id`
}

/** An event with the columns of its row, as a consumer receives it. */
export type ClaimedEvent = StoredEvent & {
  id: number
  actorId: number | null
  ownerId: number | null
  repositoryId: number | null
  createdAt: Date
}

/** The columns that a `ClaimedEvent` is built from. */
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

/**
 * Converts a row of `events` to the form that consumers receive, or returns undefined for a kind that this
 * version of the server does not know.
 */
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

/**
 * An event leased from a consumer's outbox. `leases` is the number of times that the event was leased,
 * including this time; the retry delay of failing events grows with it.
 */
export type LeasedEvent = ClaimedEvent & { leases: number }

/** Returns whether the consumer has not yet finished processing at least one of these events. */
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
 * Leases up to `limit` events from a consumer's outbox, lowest ID first. No other process can lease these
 * events before `until`; afterward, they can be leased again unless `takeLeased` removed them. IDs do not
 * reflect the order of commits, so a later call can return a lower ID. Skips events of kinds to which this
 * version of the consumer does not subscribe; an empty result means that no other events are available.
 */
export async function leaseEvents(
  db: Db,
  consumer: EventConsumer,
  { limit, now, until }: { limit: number; now: Date; until: Date },
): Promise<LeasedEvent[]> {
  const { name, kinds } = consumer
  const isFree = sql`(leased_until is null or leased_until <= ${now})`
  // Reads row by row through the index, only as far as needed: the planner's statistics show an empty table,
  // so it would otherwise read and sort the whole outbox. Reads twice the limit because another process may be
  // locking the first rows.
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
 * Removes leased events from the outbox permanently, in the transaction that writes the results of processing
 * them. Returns the IDs of the removed events; the others were already processed by another process after
 * their lease had expired.
 */
export async function takeLeased(
  trx: Transaction<Database>,
  consumer: EventConsumer,
  eventIds: readonly number[],
): Promise<Set<number>> {
  const claimed = await deleteLeased(trx, consumer, eventIds).returning('event_id').execute()
  return new Set(claimed.map(row => row.event_id))
}

/** Removes leased events from the outbox permanently that need no processing. */
export async function dropLeased(
  db: Db,
  consumer: EventConsumer,
  eventIds: readonly number[],
): Promise<void> {
  await deleteLeased(db, consumer, eventIds).execute()
}

const deleteLeased = (db: Db, { name }: EventConsumer, eventIds: readonly number[]) =>
  db.deleteFrom('event_outbox').where('consumer', '=', name).where('event_id', '=', anyOf(eventIds))

/** Extends the lease of events that could not be processed to `until`, when they can be leased again. */
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

/**
 * Like `postponeLeased`, but for leased events whose processing was not attempted: this lease is not counted
 * as an attempt.
 */
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

/**
 * Ends a consumer's leases that expire no later than `endingBy`, so that other processes can lease the events
 * immediately. These include leases of a killed process and of events that failed recently.
 */
export async function endEventLeases(db: Db, consumer: EventConsumer, endingBy: Date): Promise<void> {
  await db
    .updateTable('event_outbox')
    .set({ leased_until: null })
    .where('consumer', '=', consumer.name)
    .where('leased_until', '<=', endingBy)
    .execute()
}
