import { type RawBuilder, sql, type Transaction } from 'kysely'
import type { Db } from '@/db/client'
import { prepared } from '@/db/prepared'
import { affectedRows, anyOf } from '@/db/sql'
import type { Database } from '@/db/tables'
import type { Subject } from '@/server/access'
import { type ListNotificationsInput, type MarkReadInput, maxUnread, type NotificationKind } from './schema'
import { subjectQueries } from './subjects'

export interface NotificationRow {
  id: number
  kind: NotificationKind
  created_at: Date
  read_at: Date | null
  facts: Record<string, unknown>
}

/**
 * Selects the viewer's notifications, newest first and one more than the limit, of which they may know, and counts
 * the unread ones up to `maxUnread`. One statement, because every page shows the count.
 */
export async function selectNotifications(
  db: Db,
  viewer: Extract<Subject, { kind: 'user' }>,
  { cursor, limit, unread_only }: ListNotificationsInput,
): Promise<{ rows: NotificationRow[]; unread: number }> {
  const subjects = Object.entries(subjectQueries(viewer))
  const isShown = sql`case n.kind ${sql.join(
    subjects.map(([kind, { rows }]) => sql`when ${sql.lit(kind)} then exists (select ${rows})`),
    sql` `,
  )} else false end`
  const facts = sql.join(
    subjects.map(
      ([kind, { rows, facts }]) =>
        sql`select jsonb_build_object(${facts}) as facts ${rows} and n.kind = ${sql.lit(kind)}`,
    ),
    sql` union all `,
  )
  const shown = (condition: RawBuilder<unknown>, most: number): RawBuilder<unknown> => sql`
    select n.id, n.kind, n.subject_id, n.created_at, n.read_at from notifications n
    where n.account_id = ${viewer.id} and ${condition} and ${isShown} order by n.id desc limit ${most}`
  const before = cursor === undefined ? sql`true` : sql`n.id < ${cursor}`
  const { rows } = await sql<NotificationRow & { unread: number }>`
    ${cursor === undefined ? prepared : sql``} with unread as materialized (${shown(sql`n.read_at is null`, maxUnread)}),
    page as (${unread_only ? sql`select * from unread n where ${before} order by n.id desc limit ${limit + 1}` : shown(before, limit + 1)})
    select counted.unread, n.id, n.kind, n.created_at, n.read_at, n.facts
    from (select count(*) as unread from unread) counted
    left join (select n.*, found.facts from page n cross join lateral (${facts}) found) n on true
    order by n.id desc`.execute(db)
  return { rows: rows.filter(({ id }) => id !== null), unread: rows[0]?.unread ?? 0 }
}

/** Marks a person's notifications between these IDs as read and returns how many were unread. */
export async function updateRead(
  trx: Transaction<Database>,
  accountId: number,
  { from, to }: MarkReadInput,
  now: Date,
): Promise<number> {
  const result = await trx
    .updateTable('notifications')
    .set({ read_at: now })
    .where('account_id', '=', accountId)
    .where('read_at', 'is', null)
    .where('id', '>=', from)
    .where('id', '<=', to)
    .executeTakeFirst()
  return affectedRows(result)
}

export interface NewNotification {
  account_id: number
  kind: NotificationKind
  subject_id: number
  /** Null if no event happened. */
  event_id: number | null
}

/**
 * Inserts notifications whose accounts are locked. One about the same subject is replaced, as unread and with a new ID, if it is about an earlier
 * event. Returns the accounts that were notified.
 */
export async function insertNotifications(
  trx: Transaction<Database>,
  notifications: readonly NewNotification[],
  now: Date,
): Promise<Set<number>> {
  if (notifications.length === 0) return new Set()
  const rows = await trx
    .insertInto('notifications')
    .values(notifications.map(notification => ({ ...notification, created_at: now })))
    .onConflict(conflict =>
      conflict
        .columns(['account_id', 'kind', 'subject_id'])
        .doUpdateSet(eb => ({
          id: eb.ref('excluded.id'),
          event_id: eb.ref('excluded.event_id'),
          created_at: now,
          read_at: null,
        }))
        .whereRef('notifications.event_id', '<', 'excluded.event_id'),
    )
    .returning('account_id')
    .execute()
  return new Set(rows.map(row => row.account_id))
}

/** Selects the people among these accounts, and the owners of the organizations among them, with the account. */
export async function selectOwners(
  db: Db,
  accountIds: readonly number[],
): Promise<{ account_id: number; person_id: number }[]> {
  if (accountIds.length === 0) return []
  const { rows } = await sql<{ account_id: number; person_id: number }>`
    select id as account_id, id as person_id from users where id = ${anyOf(accountIds)} and kind = 'person'
    union all
    select teams.org_id, team_members.user_id
    from teams join team_members on team_members.team_id = teams.id
    where teams.org_id = ${anyOf(accountIds)} and teams.is_owners
    order by account_id, person_id`.execute(db)
  return rows
}

/** Selects who started the latest attempt of each of these runs, by run, without canceled and scheduled ones. */
export async function selectStarters(db: Db, runIds: readonly number[]): Promise<Map<number, number>> {
  if (runIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('workflow_runs as run')
    .innerJoin('workflow_run_attempts as attempt', join =>
      join.onRef('attempt.run_id', '=', 'run.id').onRef('attempt.number', '=', 'run.attempt'),
    )
    .select(['run.id', 'attempt.actor_id'])
    .where('run.id', '=', anyOf(runIds))
    .where('run.event', '!=', 'schedule')
    .where('run.cancelled_at', 'is', null)
    .where('attempt.actor_id', 'is not', null)
    .orderBy('run.id')
    .execute()
  return new Map(rows.map(({ id, actor_id }) => [id, actor_id as number]))
}
