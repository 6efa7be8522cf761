import { type Compilable, type RawBuilder, sql, type Transaction } from 'kysely'
import type { Db } from '@/db/client'
import { fixedQuery } from '@/db/fixed-query'
import { prepared } from '@/db/prepared'
import type { Database } from '@/db/tables'
import { afterCommit } from '@/db/transaction'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { type ByJob, type EventKind, type FactsOf, isInFeed, type NewEvent } from './catalogue'
import { type EventSignal, hubOf } from './hub'
import { consumers, type EventConsumer, insertIntoOutboxes, type QueuedRow } from './outbox'
import { signalColumns, signalOf } from './signal-row'

/** The account that caused an event, with the client's IP address and the ID of the request. */
export interface Origin {
  /** ID of the acting account. Null for visitors and background jobs. */
  actorId: number | null
  /** IP address of the client. Empty if there is no client. */
  remoteAddress: string
  requestId: string
  /** Set if a job did this with its token. */
  byJob?: ByJob | undefined
}

/**
 * Returns the origin to record for the changes made by this request. If an administrator acts as another
 * account, the origin names the administrator. For a job, it names the person who caused the run.
 */
export function originOf({ caller, remoteAddress, requestId }: ServiceCtx): Origin {
  if (caller.kind === 'job') {
    const { jobId, runId, run, actor } = caller
    const byJob = { jobId, runId, runNumber: run.number, workflow: run.workflow }
    return { actorId: actor?.id ?? null, remoteAddress, requestId, byJob }
  }
  const actorId = caller.kind === 'user' ? (caller.actor ?? caller.user).id : null
  return { actorId, remoteAddress, requestId }
}

/** Facts that every event has in addition to those of its kind. */
const commonFacts = ({ byJob }: Origin): { byJob?: ByJob } => (byJob ? { byJob } : {})

/**
 * Records an event in the same transaction as the change that it describes, so that both are committed or
 * neither is.
 */
export async function recordEvent(
  trx: Transaction<Database>,
  origin: Origin,
  event: NewEvent,
): Promise<void> {
  await recordEvents(trx, origin, [event])
}

// Deleting a large team records thousands of events. A single statement for all of them would block everything
// else.
const batchSize = 50

/**
 * Records events in order and adds each to the outboxes of the consumers that receive it, in one statement per
 * 50 events. The listeners of the event hub are notified after the transaction commits. No code outside this
 * file writes events.
 * @returns the IDs of the events
 */
export async function recordEvents(
  trx: Transaction<Database>,
  origin: Origin,
  events: readonly NewEvent[],
  recipients: readonly EventConsumer[] = consumers,
): Promise<number[]> {
  const ids: number[] = []
  for (let at = 0; at < events.length; at += batchSize) {
    const batch = events.slice(at, at + batchSize)
    const rows = batch.map(event => ({
      ...rowOf(origin, event),
      data: JSON.stringify({ ...event.facts, ...commonFacts(origin) }),
    }))
    const kinds = [...new Set(batch.map(({ kind }) => kind))]
    const recorded = await trx
      .with('recorded', db => db.insertInto('events').values(rows).returningAll())
      .with('queued', () => sql<QueuedRow>`(${insertIntoOutboxes(kinds, recipients)})`)
      .selectFrom('recorded')
      .select([...signalColumns, queuedFor])
      .orderBy('id')
      .execute()
    ids.push(...recorded.map(({ id }) => id))
    const signals = recorded.flatMap(row => {
      const signal = signalOf(row)
      return signal ? [withQueues(signal, row.queued_for)] : []
    })
    afterCommit(trx, () => hubOf(trx).publish(signals))
  }
  return ids
}

const queuedFor = sql<string[]>`array(select consumer from queued where queued.event_id = recorded.id)`.as(
  'queued_for',
)

const withQueues = (signal: EventSignal, queuedFor: readonly string[]): EventSignal => ({
  ...signal,
  ...(queuedFor.length > 0 && { queuedFor }),
})

/** An insertion that is recorded as an event with the ID of the inserted row as the fact `idFact`. */
interface RecordedInsertion<Values, Row, K extends EventKind, IdFact extends keyof FactsOf<K>> {
  kind: K
  idFact: IdFact & string
  /** Builds the statement that inserts the row, from placeholders of the values. */
  insert: (db: Db, values: Values) => Compilable<Row>
  /** Builds a statement that inserts rows which belong to the row. It reads the row from the table `inserted`. */
  alongside?: (values: Values) => RawBuilder<unknown>
}

/** The event of a `RecordedInsertion`, without what all its events have in common. */
type EventOfInsertion<K extends EventKind, IdFact extends keyof FactsOf<K>> = Omit<
  NewEvent<K>,
  'kind' | 'facts'
> & { facts: Omit<FactsOf<K>, IdFact> }

/**
 * Returns a function that inserts a row and records the event of the insertion in one statement, which takes one round
 * trip to the database instead of the four of a transaction. The function resolves to the inserted row, or to undefined,
 * without recording an event, if no row was inserted. The statement is compiled once, as described at `fixedQuery`, and
 * prepared by the database.
 */
export function recordedInsertion<
  Values extends object,
  Row extends { id: number },
  K extends EventKind,
  IdFact extends keyof FactsOf<K>,
>(
  { kind, idFact, insert, alongside }: RecordedInsertion<Values, Row, K, IdFact>,
  recipients: readonly EventConsumer[] = consumers,
): (db: Db, origin: Origin, values: Values, event: EventOfInsertion<K, IdFact>) => Promise<Row | undefined> {
  const run = fixedQuery(
    (db, { values, row, facts }: { values: Values; row: ReturnType<typeof rowOf>; facts: string }) =>
      sql<Row & { recorded_event: number; queued_for: string[] }>`
        ${prepared} with inserted as (${insert(db, values)}),
        ${alongside ? sql`alongside as (${alongside(values)}),` : sql``}
        recorded as (
          insert into events (${sql.join(Object.keys(row).map(column => sql.ref(column)))}, data)
          select ${sql.join(Object.values(row))}, ${facts}::jsonb || jsonb_build_object(${idFact}::text, inserted.id)
          from inserted
          returning *
        ),
        queued as (${insertIntoOutboxes([kind], recipients)})
        select inserted.*, recorded.id as recorded_event, ${queuedFor}
        from inserted, recorded`,
  )
  return async (db, origin, values, { ownerId, repositoryId = null, facts }) => {
    const [added] = await run(db, {
      values,
      row: rowOf(origin, { kind, ownerId, repositoryId, facts }),
      facts: JSON.stringify({ ...facts, ...commonFacts(origin) }),
    })
    if (!added) return undefined
    const { recorded_event: id, queued_for, ...inserted } = added
    const signal = withQueues({ id, kind, ownerId, repositoryId }, queued_for)
    afterCommit(db, () => hubOf(db).publish([signal]))
    return inserted as unknown as Row
  }
}

const rowOf = (
  { actorId, remoteAddress, requestId }: Origin,
  event: { kind: EventKind; ownerId: number | null; repositoryId?: number | null; facts: object },
) => ({
  kind: event.kind,
  actor_id: actorId,
  owner_id: event.ownerId,
  repository_id: event.repositoryId ?? null,
  in_feed: isInFeed(event),
  remote_address: remoteAddress,
  request_id: requestId,
})
