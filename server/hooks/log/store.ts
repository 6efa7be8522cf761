import { type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely'
import type { Db } from '@/db/client'
import type { HookAttemptsTable } from '@/db/tables/hooks'
import { notFound } from '@/server/kernel/errors'
import { maxCounted } from '../max-counted'
import type { DeliveryCounts, DeliveryFilter } from './schema'

export type DeliveryRow = Awaited<ReturnType<typeof selectDeliveries>>[number]

/** Selects deliveries of a webhook, newest first, starting after the delivery `cursor`. */
export async function selectDeliveries(
  db: Db,
  hookId: number,
  { cursor, limit, ...filter }: DeliveryFilter & { cursor?: number | undefined; limit: number },
) {
  const found = withLastAttempt(db, hookId).where(matches(filter))
  const page = cursor === undefined ? found : found.where(await liesBeyond(db, hookId, cursor, 'older'))
  return await page
    .orderBy('hook_deliveries.created_at', 'desc')
    .orderBy('hook_deliveries.id', 'desc')
    .limit(limit)
    .execute()
}

/**
 * Returns an SQL condition for the webhook deliveries that are older or newer than the delivery `cursor`.
 */
export async function liesBeyond(
  db: Db,
  hookId: number,
  cursor: number,
  side: 'older' | 'newer',
): Promise<RawBuilder<SqlBool>> {
  const beyond = side === 'older' ? sql`<` : sql`>`
  const row = await db
    .selectFrom('hook_deliveries')
    .select('id')
    .where('hook_id', '=', hookId)
    .where('id', '=', cursor)
    .executeTakeFirst()
  // The time of a swept delivery is unknown, but IDs sort in the same order.
  if (!row) return sql`hook_deliveries.id ${beyond} ${cursor}`
  return sql`(hook_deliveries.created_at, hook_deliveries.id) ${beyond}
    (select created_at, id from hook_deliveries where hook_id = ${hookId} and id = ${cursor})`
}

/**
 * Reads a delivery of a webhook with the data of its last attempt.
 * @throws {DomainError} notFound if the delivery belongs to another webhook or is no longer kept.
 */
export async function readDelivery(db: Db, hookId: number, id: number): Promise<DeliveryRow> {
  const row = await withLastAttempt(db, hookId).where('hook_deliveries.id', '=', id).executeTakeFirst()
  if (!row) throw notFound(`This webhook has no delivery ${id}, or the delivery is no longer available.`)
  return row
}

function withLastAttempt(db: Db, hookId: number) {
  return db
    .selectFrom('hook_deliveries')
    .leftJoinLateral(
      eb =>
        eb
          .selectFrom('hook_attempts')
          .select(['started_at', 'duration_ms', 'cause as last_cause'])
          .whereRef('hook_attempts.delivery_id', '=', 'hook_deliveries.id')
          .orderBy('hook_attempts.id', 'desc')
          .limit(1)
          .as('last'),
      join => join.onTrue(),
    )
    .select([
      'hook_deliveries.id',
      'uuid',
      'kind',
      'event',
      'event_type',
      'event_id',
      'sequence',
      'hook_deliveries.status',
      'content_type',
      'payload_id',
      'attempts',
      'last_status',
      'last_error',
      'hook_deliveries.created_at',
      'next_attempt_at',
      'started_at',
      'duration_ms',
      'last_cause',
    ])
    .where('hook_deliveries.hook_id', '=', hookId)
}

/** Returns an SQL condition for the webhook deliveries that match a filter. */
export function matches({ status, event, since, until }: DeliveryFilter): RawBuilder<SqlBool> {
  const conditions = [
    ...(status ? [sql<SqlBool>`hook_deliveries.status = ${status}`] : []),
    ...(event
      ? [sql<SqlBool>`(hook_deliveries.event = ${event} or hook_deliveries.event_type = ${event})`]
      : []),
    ...(since ? [sql<SqlBool>`hook_deliveries.created_at >= ${since}`] : []),
    ...(until ? [sql<SqlBool>`hook_deliveries.created_at < ${until}`] : []),
  ]
  return conditions.length > 0 ? sql<SqlBool>`${sql.join(conditions, sql` and `)}` : sql<SqlBool>`true`
}

const maxAttempts = 50

/** Selects the last 50 attempts of a delivery, oldest first. */
export async function selectAttempts(db: Db, deliveryId: number): Promise<Selectable<HookAttemptsTable>[]> {
  const newest = await db
    .selectFrom('hook_attempts')
    .select([
      'id',
      'delivery_id',
      'hook_id',
      'number',
      'cause',
      'started_at',
      'duration_ms',
      'url_sealed',
      'request_headers',
      'status',
      'response_headers',
      'response_body',
      'response_truncated',
      'error',
    ])
    .where('delivery_id', '=', deliveryId)
    .orderBy('id', 'desc')
    .limit(maxAttempts)
    .execute()
  return newest.reverse()
}

export async function findPayload(db: Db, id: number): Promise<Buffer | undefined> {
  const row = await db.selectFrom('hook_payloads').select('body').where('id', '=', id).executeTakeFirst()
  return row?.body
}

/** Counts a webhook's deliveries by status, each up to 1,000. */
export async function countDeliveries(db: Db, hookId: number): Promise<DeliveryCounts> {
  const count = (status: keyof DeliveryCounts) => {
    const some = db
      .selectFrom('hook_deliveries')
      .select('id')
      .where('hook_id', '=', hookId)
      .where('status', '=', status)
      // Forces the use of the index, because the planner may otherwise read the deliveries of all webhooks.
      .orderBy('created_at', 'desc')
      .orderBy('id', 'desc')
      .limit(maxCounted)
    return sql<number>`(select count(*) from ${some.as('some')})`
  }
  return await db
    .selectNoFrom([
      count('pending').as('pending'),
      count('delivered').as('delivered'),
      count('failed').as('failed'),
    ])
    .executeTakeFirstOrThrow()
}
