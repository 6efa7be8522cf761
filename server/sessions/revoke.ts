import { withTransaction } from '@/db/transaction'
import { originOf, recordEvent } from '@/server/events'
import type { UserCtx } from '@/server/kernel/ctx'
import { notFound } from '@/server/kernel/errors'
import { deleteOtherSessions, deleteSession } from './store'

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
  await withTransaction(ctx.db, async trx => {
    const count = await deleteOtherSessions(trx, user.id, kept)
    if (count > 0)
      await recordEvent(trx, originOf(ctx), { kind: 'session.ended', ownerId: user.id, facts: { count } })
  })
}
