import { sql } from 'kysely'
import type { Db } from '@/db/client'
import { anyOf, countRows, inSubquery } from '@/db/sql'
import type { DueDelivery } from './due'

/**
 * The number of deliveries to one target host that this process has claimed, and the maximum that it can
 * claim.
 */
export interface Share {
  target: string
  held: number
  max: number
}

interface ClaimOptions {
  now: Date
  /** End of the lease. Until then, other processes leave the claimed deliveries alone. */
  until: Date
  limit: number
  /** Limits of the targets that have claimed deliveries or a limit of their own. */
  shares: readonly Share[]
  /** Maximum number of claimed deliveries for each target that is not in `shares`. */
  maxPerTarget: number
}

/**
 * Claims due webhook deliveries for this process by leasing them. Prefers target hosts with the fewest
 * claimed deliveries, then earlier due times. Reads no more rows per target host than this process can claim
 * for that host, regardless of how many are pending. Also deletes pending deliveries of deleted webhooks
 * among the claimed rows.
 */
export async function claimDue(db: Db, options: ClaimOptions): Promise<DueDelivery[]> {
  for (;;) {
    const claimed = await claim(db, options)
    const due = claimed.filter(row => row.type !== null)
    const orphans = claimed.filter(row => row.type === null).map(row => row.hook_id)
    await deleteWaiting(db, [...new Set(orphans)])
    // Deliveries of deleted webhooks may have filled the whole batch.
    if (orphans.length === 0 || due.length > 0) return due
  }
}

const maxDeleted = 2_000

async function deleteWaiting(db: Db, hookIds: readonly number[]): Promise<void> {
  if (hookIds.length === 0) return
  const waiting = db
    .selectFrom('hook_deliveries')
    .select('id')
    .where('hook_id', '=', anyOf(hookIds))
    .where('status', '=', 'pending')
    .limit(maxDeleted)
    .forUpdate()
    .skipLocked()
  await db.deleteFrom('hook_deliveries').where(inSubquery('id', waiting)).execute()
}

type Orphan = { type: null; hook_id: number }

async function claim(db: Db, options: ClaimOptions): Promise<(DueDelivery | Orphan)[]> {
  const { now, until, limit, shares, maxPerTarget } = options
  // This condition implies that a row is pending. Queries by ID omit `status`, because it would make the
  // planner read all pending rows.
  const isFree = sql`d.next_attempt_at <= ${now} and (d.leased_until is null or d.leased_until <= ${now})`
  const { rows } = await sql<DueDelivery | Orphan>`
    with recursive waiting (target) as (
      (select target from hook_deliveries where status = 'pending' order by target limit 1)
      union all
      select (
        select d.target from hook_deliveries d
        where d.status = 'pending' and d.target > w.target order by d.target limit 1)
      from waiting w where w.target is not null
    ),
    share as (
      select * from unnest(
        ${shares.map(share => share.target)}::text[],
        ${shares.map(share => share.held)}::integer[],
        ${shares.map(share => Math.max(0, share.max - share.held))}::integer[]
      ) as s (target, held, room)
    ),
    due as (
      select d.id, d.next_attempt_at,
        coalesce(s.held, 0) + row_number() over (partition by w.target order by d.next_attempt_at, d.id) as turn
      from waiting w
      left join share s on s.target = w.target
      cross join lateral (
        select d.id, d.next_attempt_at from hook_deliveries d
        where d.status = 'pending' and d.target = w.target and ${isFree}
        order by d.next_attempt_at
        limit coalesce(s.room, ${maxPerTarget}::integer)
      ) d
      where w.target is not null
    ),
    chosen as (select id from due order by turn, next_attempt_at, id limit ${limit}),
    locked as (
      select d.id from hook_deliveries d
      where d.id = any (array(select id from chosen)) and ${isFree}
      order by d.id for update skip locked
    ),
    claimed as (
      update hook_deliveries d set leased_until = ${until}
      from locked where d.id = locked.id
      returning d.*
    )
    select c.id, c.uuid, c.hook_id, c.kind, c.event, c.event_type, c.sequence, c.content_type, c.payload_id, c.target,
      c.attempts, c.tries, c.cause, c.leased_until,
      h.type, h.options, h.url_sealed, h.secret_sealed, h.former_secret_sealed, h.former_secret_until,
      h.authorization_sealed, h.repository_id, h.is_active, h.disabled_reason,
      coalesce(h.owner_id, r.owner_id) as account_id,
      case when h.scope <> 'owner' then h.scope when u.kind = 'organization' then u.kind else 'user' end as target_type
    from claimed c
    left join hooks h on h.id = c.hook_id
    left join users u on u.id = h.owner_id
    left join repositories r on r.id = h.repository_id
    order by c.next_attempt_at, c.id`.execute(db)
  return rows
}

/** Returns when the next delivery becomes due; undefined if no delivery is scheduled for later. */
export async function nextDue(db: Db, now: Date): Promise<Date | undefined> {
  const next = await db
    .selectFrom('hook_deliveries')
    .select('next_attempt_at')
    .where('status', '=', 'pending')
    .where('next_attempt_at', '>', now)
    .orderBy('next_attempt_at')
    .limit(1)
    .executeTakeFirst()
  return next?.next_attempt_at ?? undefined
}

/** Releases claimed deliveries that were not sent, so that any process can claim them immediately. */
export async function giveBack(db: Db, deliveries: readonly DueDelivery[]): Promise<void> {
  if (deliveries.length === 0) return
  await db
    .updateTable('hook_deliveries')
    .set({ leased_until: null })
    .where('id', '=', anyOf(deliveries.map(({ id }) => id)))
    .where('leased_until', 'in', [...new Set(deliveries.map(({ leased_until }) => leased_until))])
    .execute()
}

/**
 * Releases all deliveries whose lease would expire by this time, such as those that a killed process had
 * claimed.
 */
export async function endLeases(db: Db, endingBy: Date): Promise<void> {
  await db
    .updateTable('hook_deliveries')
    .set({ leased_until: null })
    .where('status', '=', 'pending')
    .where('leased_until', '<=', endingBy)
    .execute()
}

/**
 * Size of the delivery queue: the number of pending deliveries, counted up to 10,000, and for how many
 * seconds the oldest one has been due.
 */
export interface QueueSize {
  length: number
  oldestSeconds: number
}

const maxCounted = 10_000

export async function measureQueue(db: Db, now: Date): Promise<QueueSize> {
  const pending = db.selectFrom('hook_deliveries').where('status', '=', 'pending')
  const first = await pending.select('next_attempt_at').orderBy('next_attempt_at').limit(1).executeTakeFirst()
  const length = await countRows(db.selectFrom(pending.select('id').limit(maxCounted).as('pending')))
  const dueMs = first?.next_attempt_at ? now.getTime() - first.next_attempt_at.getTime() : 0
  return { length, oldestSeconds: Math.max(0, dueMs / 1000) }
}
