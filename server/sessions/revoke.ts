import type { Transaction } from 'kysely'
import type { Database } from '@/db/tables'
import { withTransaction } from '@/db/transaction'
import { originOf, recordEvent, recordEvents } from '@/server/events'
import type { UserCtx } from '@/server/kernel/ctx'
import { notFound, unprocessable } from '@/server/kernel/errors'
import { deleteSessions, deleteSessionsBut } from './store'

/** Ends one of the caller's sessions, at once. @throws {DomainError} notFound for one that is not theirs. */
export async function revokeSession(ctx: UserCtx, id: number): Promise<void> {
  if ((await revoke(ctx, [id])) === 0) throw notFound('that session has ended already')
}

/**
 * Ends several of the caller's sessions at once; those that are not theirs, or have ended already, are passed over. Returns
 * how many were ended.
 * @throws {DomainError} unprocessable where the one that asks is among them.
 */
export async function revokeSessions(ctx: UserCtx, ids: readonly number[]): Promise<number> {
  const { credential } = ctx.caller
  if (credential.kind === 'session' && ids.includes(credential.sessionId))
    throw unprocessable('this browser is among them; sign out of it by itself')
  return await revoke(ctx, ids)
}

/** Returns how many there were. */
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

/** Ends every session of the caller's but the one that asks, at once. */
export async function revokeOtherSessions(ctx: UserCtx): Promise<void> {
  const { user, credential } = ctx.caller
  const kept = credential.kind === 'session' ? credential.sessionId : null
  await withTransaction(ctx.db, trx => end(ctx, trx, user.id, kept))
}

/**
 * Ends every session of one person in a transaction that the caller began; returns how many. The caller has settled that
 * whoever asks may do so.
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
