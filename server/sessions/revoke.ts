import type { Transaction } from 'kysely'
import type { Database } from '@/db/tables'
import { withTransaction } from '@/db/transaction'
import { originOf, recordEvent } from '@/server/events'
import type { UserCtx } from '@/server/kernel/ctx'
import { notFound } from '@/server/kernel/errors'
import { deleteSession, deleteSessions } from './store'

/** Ends one of the caller's sessions, at once. @throws {DomainError} notFound for one that is not theirs. */
export async function revokeSession(ctx: UserCtx, id: number): Promise<void> {
  const { user } = ctx.caller
  await withTransaction(ctx.db, async trx => {
    if (!(await deleteSession(trx, user.id, id))) throw notFound('that session has ended already')
    await recordEvent(trx, originOf(ctx), {
      kind: 'session.ended',
      ownerId: user.id,
      facts: { sessionId: id },
    })
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
  const count = await deleteSessions(trx, userId, keptId)
  if (count > 0)
    await recordEvent(trx, originOf(ctx), { kind: 'session.ended', ownerId: userId, facts: { count } })
  return count
}
