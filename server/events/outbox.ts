import { sql, type Transaction } from 'kysely'
import { anyOf } from '@/db/sql'
import type { Database } from '@/db/tables'
import { type EventKind, readEvent, type StoredEvent } from './catalogue'

/** Something that handles every event of these kinds, once and after its commit. */
export interface EventConsumer {
  name: string
  kinds: readonly EventKind[]
}

/**
 * All consumers. One that is added here, or wants another kind, gets what is recorded by processes that know of it: while
 * processes are replaced one by one that is not every event, and once all of them are new it is.
 */
export const consumers: readonly EventConsumer[] = []

/** The names of those who want events of this kind. */
export function consumersOf(kind: string, recipients: readonly EventConsumer[]): string[] {
  return recipients.filter(({ kinds }) => kinds.includes(kind as EventKind)).map(({ name }) => name)
}

/** Adds events to the outboxes of the consumers that want their kinds, in the transaction that records them. */
export async function enqueue(
  trx: Transaction<Database>,
  events: readonly { id: number; kind: string }[],
  recipients: readonly EventConsumer[],
): Promise<void> {
  const rows = events.flatMap(({ id, kind }) =>
    consumersOf(kind, recipients).map(consumer => ({ consumer, event_id: id })),
  )
  if (rows.length > 0) await trx.insertInto('event_outbox').values(rows).execute()
}

/** An event with its row's columns, as a consumer gets it. */
export type ClaimedEvent = StoredEvent & {
  id: number
  actorId: number | null
  ownerId: number | null
  repositoryId: number | null
  createdAt: Date
}

/**
 * Takes up to `limit` events out of a consumer's outbox, lowest id first, for the rest of this transaction: others get
 * other events until then, and these again if it is rolled back. Ids do not tell the order of commits, so a later claim
 * may bring a lower id. Kinds that this version of the consumer does not want stay for the version that does; nothing
 * given means that nothing is left for this one.
 */
export async function claimEvents(
  trx: Transaction<Database>,
  consumer: EventConsumer,
  limit: number,
): Promise<ClaimedEvent[]> {
  const claimed = await trx
    .with('next', query =>
      query
        .selectFrom('event_outbox')
        .innerJoin('events', 'events.id', 'event_outbox.event_id')
        .select('event_id')
        .where('consumer', '=', consumer.name)
        .where('events.kind', 'in', consumer.kinds)
        .orderBy('event_id')
        .limit(limit)
        .forUpdate('event_outbox')
        .skipLocked(),
    )
    .deleteFrom('event_outbox')
    .where('consumer', '=', consumer.name)
    .where('event_id', '=', sql<number>`any (array(select event_id from next))`)
    .returning('event_id')
    .execute()
  const rows = await trx
    .selectFrom('events')
    .select(['id', 'kind', 'data', 'actor_id', 'owner_id', 'repository_id', 'created_at'])
    .where('id', '=', anyOf(claimed.map(({ event_id }) => event_id)))
    .orderBy('id')
    .execute()
  return rows.map(row => ({
    ...readEvent(row)!,
    id: row.id,
    actorId: row.actor_id,
    ownerId: row.owner_id,
    repositoryId: row.repository_id,
    createdAt: row.created_at,
  }))
}
