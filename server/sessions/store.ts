import type { Insertable, Selectable, Transaction } from 'kysely'
import type { Db } from '@/db/client'
import type { Database } from '@/db/tables'
import type { SessionsTable } from '@/db/tables/sessions'

export type SessionRow = Omit<Selectable<SessionsTable>, 'token_hash'>

export async function insertSession(
  trx: Transaction<Database>,
  session: Insertable<SessionsTable>,
): Promise<number> {
  const row = await trx.insertInto('sessions').values(session).returning('id').executeTakeFirstOrThrow()
  return row.id
}

export async function touchLastLogin(trx: Transaction<Database>, userId: number, now: Date): Promise<void> {
  await trx.updateTable('users').set({ last_login_at: now }).where('id', '=', userId).execute()
}

/** One person's live sessions, most recently used first; a hundred at most. */
export function selectSessions(db: Db, userId: number, now: Date): Promise<SessionRow[]> {
  return db
    .selectFrom('sessions')
    .select(['id', 'user_id', 'user_agent', 'remote_address', 'created_at', 'last_seen_at', 'expires_at'])
    .where('user_id', '=', userId)
    .where('expires_at', '>', now)
    .orderBy('last_seen_at', 'desc')
    .orderBy('id', 'desc')
    .limit(100)
    .execute()
}

export async function deleteSession(
  trx: Transaction<Database>,
  userId: number,
  id: number,
): Promise<boolean> {
  const result = await trx
    .deleteFrom('sessions')
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst()
  return Number(result.numDeletedRows) > 0
}

export async function deleteExpiredSessions(
  trx: Transaction<Database>,
  userId: number,
  now: Date,
): Promise<void> {
  await trx.deleteFrom('sessions').where('user_id', '=', userId).where('expires_at', '<=', now).execute()
}
