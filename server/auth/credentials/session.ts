import type { Db } from '@/db/client'
import { prepared } from '@/db/prepared'
import { anyOf } from '@/db/sql'
import { type Account, accountColumns } from '@/server/kernel/account'
import type { UserCaller } from '@/server/kernel/caller'
import { dayMs } from '@/server/kernel/clock'
import { hashSecret } from './secret-token'

export const sessionDays = 30

export const sessionExpiry = (now: Date): Date => new Date(now.getTime() + sessionDays * dayMs)

/**
 * Finds the signed-in person behind a session cookie; use within the last minute is not written again.
 * Use never prolongs a session: it ends with its cookie, so that a stolen one cannot be kept alive.
 */
export async function findSessionCaller(db: Db, secret: string, now: Date): Promise<UserCaller | undefined> {
  if (secret.length > 100) return undefined
  const row = await sessions(db, now)
    .select(['sessions.id as session_id', 'sessions.last_seen_at'])
    .where('sessions.token_hash', '=', hashSecret(secret))
    .executeTakeFirst()
  if (!row) return undefined
  const { session_id: sessionId, last_seen_at: lastSeenAt, ...user } = row
  if (user.prohibit_login || !user.is_active) return undefined
  if (now.getTime() - lastSeenAt.getTime() > 60_000) {
    await db.updateTable('sessions').set({ last_seen_at: now }).where('id', '=', sessionId).execute()
  }
  return { kind: 'user', user, credential: { kind: 'session', sessionId } }
}

/** Finds once more whose session this is, unless it is over. Whether the account may act is not looked at. */
export async function findSessionAccount(db: Db, sessionId: number, now: Date): Promise<Account | undefined> {
  return await sessions(db, now).where('sessions.id', '=', sessionId).executeTakeFirst()
}

const sessions = (db: Db, now: Date) =>
  db
    .selectFrom('sessions')
    .modifyFront(prepared)
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(accountColumns)
    .where('sessions.expires_at', '>', now)

/** What the rules of access look at of an account. */
export interface SessionHolder {
  id: number
  is_admin: boolean
  is_restricted: boolean
  must_change_password: boolean
}

/** Finds who holds each of these sessions by now; one that is over, or whose account may not sign in, is absent. */
export async function findSessionHolders(
  db: Db,
  sessionIds: readonly number[],
  now: Date,
): Promise<Map<number, SessionHolder>> {
  if (sessionIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select([
      'sessions.id as session_id',
      'users.id',
      'users.is_admin',
      'users.is_restricted',
      'users.must_change_password',
    ])
    .where('sessions.id', '=', anyOf(sessionIds))
    .where('sessions.expires_at', '>', now)
    .where('users.is_active', '=', true)
    .where('users.prohibit_login', '=', false)
    .orderBy('sessions.id')
    .execute()
  return new Map(rows.map(row => [row.session_id, row]))
}
