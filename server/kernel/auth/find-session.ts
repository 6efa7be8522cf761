import type { Db } from '@/db/client'
import { prepared } from '@/db/prepared'
import type { UserCaller } from '../caller'
import { dayMs } from '../clock'
import { accountColumns } from './account'
import { hashSecret } from './secret-token'

export const sessionDays = 30

export const sessionExpiry = (now: Date): Date => new Date(now.getTime() + sessionDays * dayMs)

/**
 * Finds the signed-in person behind a session cookie; use within the last minute is not written again.
 * Use never prolongs a session: it ends with its cookie, so that a stolen one cannot be kept alive.
 */
export async function findSessionCaller(db: Db, secret: string, now: Date): Promise<UserCaller | undefined> {
  if (secret.length > 100) return undefined
  const row = await db
    .selectFrom('sessions')
    .modifyFront(prepared)
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select([...accountColumns, 'sessions.id as session_id', 'sessions.last_seen_at'])
    .where('sessions.token_hash', '=', hashSecret(secret))
    .where('sessions.expires_at', '>', now)
    .executeTakeFirst()
  if (!row) return undefined
  const { session_id: sessionId, last_seen_at: lastSeenAt, ...user } = row
  if (user.prohibit_login || !user.is_active) return undefined
  if (now.getTime() - lastSeenAt.getTime() > 60_000) {
    await db.updateTable('sessions').set({ last_seen_at: now }).where('id', '=', sessionId).execute()
  }
  return { kind: 'user', user, credential: { kind: 'session', sessionId } }
}
