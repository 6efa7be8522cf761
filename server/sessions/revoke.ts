import type { Transaction } from 'kysely'
import type { Database } from '@/db/tables'
import { withTransaction } from '@/db/transaction'
import { originOf, recordEvent, recordEvents } from '@/server/events'
import type { UserCtx } from '@/server/kernel/ctx'
import { notFound, unprocessable } from '@/server/kernel/errors'
import { deleteSessions, deleteSessionsBut } from './store'

/**
 * Revokes one of the caller's sessions, effective immediately.
 * @throws {DomainError} notFound if the caller has no such session.
 */
export async function revokeSession(ctx: UserCtx, id: number): Promise<void> {
  if ((await revoke(ctx, [id])) === 0) throw notFound('the session has already ended')
}

/**
 * Revokes several of the caller's sessions. IDs that are not active sessions of the caller are skipped.
 * Returns the number of revoked sessions.
 * @throws {DomainError} unprocessable if the current session is among them.
 */
export async function revokeSessions(ctx: UserCtx, ids: readonly number[]): Promise<number> {
  const { credential } = ctx.caller
  if (credential.kind === 'session' && ids.includes(credential.sessionId))
    throw unprocessable('the current session cannot be revoked here; sign out instead')
  return await revoke(ctx, ids)
}

/** Deletes the caller's sessions with these IDs and returns their number. */
async function revoke(ctx: UserCtx, ids: readonly number[]): Promise<number> {
  const { user } = ctx.caller
  return await withTransaction(ctx.db, async trx => {
    const ended = await deleteSessions(trx, user.id, ids)
    await recordEvents(
      trx,
      originOf(ctx),
      ended.map(sessionId => ({ kind: 'session.ended', ownerId: user.id, facts: { sessionId } })),
    )
    return ended.length
  })
}

/** Revokes all of the caller's sessions except the current one, effective immediately. */
export async function revokeOtherSessions(ctx: UserCtx): Promise<void> {
  const { user, credential } = ctx.caller
  const kept = credential.kind === 'session' ? credential.sessionId : null
  await withTransaction(ctx.db, trx => end(ctx, trx, user.id, kept))
}

/**
 * Revokes all sessions of a person within the passed transaction and returns their number. The caller of this
 * function must have checked that this is allowed.
 */
export async function endAllSessions(
  ctx: UserCtx,
  trx: Transaction<Database>,
  userId: number,
): Promise<number> {
  return await end(ctx, trx, userId, null)
}

async function end(
  ctx: UserCtx,
  trx: Transaction<Database>,
  userId: number,
  keptId: number | null,
): Promise<number> {
  const count = await deleteSessionsBut(trx, userId, keptId)
  if (count > 0)
    await recordEvent(trx, originOf(ctx), { kind: 'session.ended', ownerId: userId, facts: { count } })
  return count
}
