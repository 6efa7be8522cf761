import { type RawBuilder, type SqlBool, sql } from 'kysely'
import type { Db } from '@/db/client'

/** Resolved filter for events. */
export interface Wanted {
  kinds: readonly string[] | undefined
  actorId: number | undefined
  ownerId: number | undefined
  repositoryId: number | undefined
  from: Date | undefined
  /** Only events before this time. */
  to: Date | undefined
  /** Only events with IDs between these two, exclusive. */
  above: number | undefined
  below: number | undefined
}

export interface EventRow {
  id: number
  kind: string
  data: object
  actor_id: number | null
  owner_id: number | null
  remote_address: string
  request_id: string
  created_at: Date
  actor: string | null
  owner: string | null
  repository: string | null
}

// Earlier versions recorded the start time of the transaction, and the clock may be set back slightly.
const slackMs = 10 * 60_000

/**
 * Returns exclusive bounds on the IDs of all events in a time range. IDs are nearly in the order of time and,
 * unlike times, are part of the index of every other filter.
 */
export async function boundsOf(
  db: Db,
  { from, to }: { from: Date | undefined; to: Date | undefined },
): Promise<{ above: number | undefined; below: number | undefined }> {
  const at = (time: Date, byMs: number): Date => new Date(time.getTime() + byMs)
  const { rows } = await sql<{ above: number | null; below: number | null }>`
    select
      ${from ? sql`(select id from events where created_at < ${at(from, -slackMs)} order by created_at desc, id desc limit 1)` : sql`null::bigint`} as above,
      ${to ? sql`(select id from events where created_at >= ${at(to, slackMs)} order by created_at, id limit 1)` : sql`null::bigint`} as below`.execute(
    db,
  )
  return { above: rows[0]?.above ?? undefined, below: rows[0]?.below ?? undefined }
}

const columns = sql.raw(
  'id, kind, data, actor_id, owner_id, repository_id, remote_address, request_id, created_at',
)

/**
 * Returns the newest events that match the filter, newest first, with the current names of accounts and
 * repositories.
 */
export async function selectEvents(db: Db, wanted: Wanted, limit: number): Promise<EventRow[]> {
  const { rows } = await sql<EventRow>`
    select found.id, found.kind, found.data, found.actor_id, found.owner_id, found.remote_address, found.request_id, found.created_at,
      actors.name as actor, owners.name as owner,
      repositories.owner_name || '/' || repositories.name as repository
    from (${newest(wanted, limit)}) as found
    left join users as actors on actors.id = found.actor_id
    left join users as owners on owners.id = found.owner_id
    left join repositories on repositories.id = coalesce(found.repository_id, (found.data ->> 'repositoryId')::bigint)
    order by found.id desc`.execute(db)
  return rows
}

function newest(wanted: Wanted, limit: number): RawBuilder<unknown> {
  const { kinds, actorId, ownerId, repositoryId } = wanted
  const where = conditions(wanted)
  const isElsewhere = actorId !== undefined || ownerId !== undefined || repositoryId !== undefined
  if (!kinds || isElsewhere) {
    const ofKinds = kinds ? sql`and kind = any (${[...kinds]}::text[])` : sql``
    return sql`select ${columns} from events where ${where} ${ofKinds} order by id desc limit ${limit}`
  }
  // Each kind is read separately from the end of its part of the index. For several kinds in one condition,
  // the planner would read and sort all of their events, or for rare kinds scan all events by ID.
  const { above, below, ...rest } = wanted
  return sql`
    select of_kind.* from unnest(${[...kinds]}::text[]) as wanted (kind)
    cross join lateral (
      select ${columns} from events
      where (events.kind, id) > (wanted.kind, ${above ?? lowestId}::bigint)
        and (events.kind, id) < (wanted.kind, ${below ?? highestId}::bigint)
        and ${conditions({ ...rest, above: undefined, below: undefined })}
      order by events.kind desc, id desc limit ${limit}) as of_kind
    order by id desc limit ${limit}`
}

const lowestId = '-9223372036854775808'
const highestId = '9223372036854775807'

function conditions({ actorId, ownerId, repositoryId, from, to, above, below }: Wanted): RawBuilder<SqlBool> {
  const all = [
    ...(actorId === undefined ? [] : [sql`actor_id = ${actorId}`]),
    ...(ownerId === undefined ? [] : [sql`owner_id = ${ownerId}`]),
    ...(repositoryId === undefined ? [] : [sql`repository_id = ${repositoryId}`]),
    ...(from ? [sql`created_at >= ${from}`] : []),
    ...(to ? [sql`created_at < ${to}`] : []),
    ...(above === undefined ? [] : [sql`id > ${above}`]),
    ...(below === undefined ? [] : [sql`id < ${below}`]),
  ]
  return all.length === 0 ? sql<SqlBool>`true` : sql<SqlBool>`${sql.join(all, sql` and `)}`
}
