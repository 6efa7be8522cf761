import type { Insertable, Selectable, Transaction } from 'kysely'
import type { Db } from '@/db/client'
import { affectedRows, oneOf } from '@/db/sql'
import type { Database } from '@/db/tables'
import type { SessionsTable } from '@/db/tables/sessions'

/** Maximum number of sessions per person; more would indicate a script that never signs out. */
const maxSessions = 100

export type SessionRow = Omit<Selectable<SessionsTable>, 'token_hash'>

export async function insertSession(
  trx: Transaction<Database>,
  session: Insertable<SessionsTable>,
): Promise<number> {
  const row = await trx.insertInto('sessions').values(session).returning('id').executeTakeFirstOrThrow()
  return row.id
}

/**
 * Updates the time of the account's last sign-in and locks the account until the end of the transaction.
 * Returns false if the account was deleted.
 */
export async function touchLastLogin(
  trx: Transaction<Database>,
  userId: number,
  now: Date,
): Promise<boolean> {
  const result = await trx
    .updateTable('users')
    .set({ last_login_at: now })
    .where('id', '=', userId)
    .executeTakeFirst()
  return affectedRows(result) > 0
}

/** Returns a person's active sessions, most recently used first. */
export function selectSessions(db: Db, userId: number, now: Date): Promise<SessionRow[]> {
  return db
    .selectFrom('sessions')
    .select(['id', 'user_id', 'user_agent', 'remote_address', 'created_at', 'last_seen_at', 'expires_at'])
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .orderBy('last_seen_at', 'desc')
    .orderBy('id', 'desc')
    .limit(maxSessions)
    .execute()
}

/** Deletes a person's sessions with these IDs and returns the deleted IDs in ascending order. */
export async function deleteSessions(
  trx: Transaction<Database>,
  userId: number,
  ids: readonly number[],
): Promise<number[]> {
  const theirs = trx
    .selectFrom('sessions')
    .select('id')
    .where('user_id', '=', userId)
    .where('id', '=', oneOf(ids))
    // Locked in a fixed order, to prevent deadlocks between concurrent deletions.
    .orderBy('id')
    .forUpdate()
  const rows = await trx.deleteFrom('sessions').where('id', 'in', theirs).returning('id').execute()
  return rows.map(row => row.id).sort((one, other) => one - other)
}

/** Deletes all sessions of a person, optionally except one, and returns their number. */
export async function deleteSessionsBut(
  trx: Transaction<Database>,
  userId: number,
  keptId: number | null,
): Promise<number> {
  const result = await trx
    .deleteFrom('sessions')
    .where('user_id', '=', userId)
    .where('id', 'is distinct from', keptId)
    .executeTakeFirst()
  return affectedRows(result)
}

/**
 * Deletes a person's expired sessions, then the least recently used ones until there is room for one more.
 */
export async function makeRoomForSession(
  trx: Transaction<Database>,
  userId: number,
  now: Date,
): Promise<void> {
  await trx.deleteFrom('sessions').where('user_id', '=', userId).where('expires_at', '<=', now).execute()
  await trx
    .deleteFrom('sessions')
    .where('id', 'in', query =>
      query
        .selectFrom('sessions')
        .select('id')
        .where('user_id', '=', userId)
        .orderBy('last_seen_at', 'desc')
        .orderBy('id', 'desc')
        .offset(maxSessions - 1),
    )
    .execute()
}
