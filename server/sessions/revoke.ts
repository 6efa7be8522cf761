import { withTransaction } from '@/db/transaction'
import type { UserCtx } from '@/server/kernel/ctx'
import { notFound } from '@/server/kernel/errors'
import { recordEvent } from '@/server/kernel/events/record'
import { deleteSession } from './store'

/** Ends one of the caller's sessions, at once. Throws notFound for one that is not theirs. */
export async function revokeSession(ctx: UserCtx, id: number): Promise<void> {
  const { user } = ctx.caller
  await withTransaction(ctx.db, async trx => {
    if (!(await deleteSession(trx, user.id, id))) throw notFound('that session has ended already')
    await recordEvent(ctx, trx, { kind: 'session.ended', ownerId: user.id, facts: {} })
  })
}
