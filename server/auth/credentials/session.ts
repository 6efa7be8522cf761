import type { Db } from '@/db/client'
import { fixedQuery } from '@/db/fixed-query'
import { prepared } from '@/db/prepared'
import { anyOf } from '@/db/sql'
import { accountColumns } from '@/server/kernel/account'
import type { Caller, UserCaller } from '@/server/kernel/caller'
import { dayMs } from '@/server/kernel/clock'
import type { AuthCtx } from '@/server/kernel/ctx'
import { recordUse } from '../record-use'
import { hashSecret } from './secret-token'

/** How long a session lasts from its sign-in, in days. Use does not extend it. */
export const sessionDays = 30

/** Returns when a session that starts now expires. */
export const sessionExpiry = (now: Date): Date => new Date(now.getTime() + sessionDays * dayMs)

/**
 * Finds the signed-in person by the secret in a session cookie, and records the use to the minute. Returns undefined if the
 * session has expired or the account cannot sign in. Use never extends a session, so that a stolen one cannot be kept
 * alive.
 */
export async function findSessionCaller(db: Db, secret: string, now: Date): Promise<UserCaller | undefined> {
  if (secret.length > 100) return undefined
  const [row] = await sessionsByHash(db, { now, hash: hashSecret(secret) })
  if (!row) return undefined
  const { session_id: sessionId, last_seen_at: lastSeenAt, ...user } = row
  if (user.prohibit_login || !user.is_active) return undefined
  if (now.getTime() - lastSeenAt.getTime() > 60_000) {
    await recordUse(db.updateTable('sessions').set({ last_seen_at: now }).where('id', '=', sessionId))
  }
  return { kind: 'user', user, credential: { kind: 'session', sessionId } }
}

/**
 * Finds the caller again by the ID of their session; undefined if it was deleted or has expired. Does not check whether the
 * account can act now.
 */
export async function recheckSession(
  { db, clock }: Pick<AuthCtx, 'db' | 'clock'>,
  caller: Caller,
): Promise<UserCaller | undefined> {
  if (caller.kind !== 'user' || caller.credential.kind !== 'session') return undefined
  const { credential } = caller
  const user = await sessions(db, clock.now())
    .where('sessions.id', '=', credential.sessionId)
    .executeTakeFirst()
  return user && { kind: 'user', user, credential }
}

const sessionsByHash = fixedQuery((db, { now, hash }: { now: Date; hash: Buffer }) =>
  sessions(db, now)
    .select(['sessions.id as session_id', 'sessions.last_seen_at'])
    .where('sessions.token_hash', '=', hash),
)

const sessions = (db: Db, now: Date) =>
  db
    .selectFrom('sessions')
    .modifyFront(prepared)
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(accountColumns)
    .where('sessions.expires_at', '>', now)

/** The fields of a signed-in account that the access rules read. */
export interface SessionHolder {
  id: number
  is_admin: boolean
  is_restricted: boolean
  must_change_password: boolean
}

/**
 * Finds the current account of each session, by session ID. Sessions that have expired or whose account cannot sign in are
 * left out.
 */
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
