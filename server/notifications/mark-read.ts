import { withTransaction } from '@/db/transaction'
import { announce } from '@/server/events'
import type { UserCtx } from '@/server/kernel/ctx'
import { lockAccounts } from '@/server/users'
import { listNotifications } from './list'
import type { MarkReadInput } from './schema'
import { updateRead } from './store'

/**
 * Marks the notifications that were shown to the caller as read, tells their open pages, and returns how many are
 * unread.
 */
export async function markRead(ctx: UserCtx, shown: MarkReadInput): Promise<number> {
  const { id } = ctx.caller.user
  await withTransaction(ctx.db, async trx => {
    // Like the worker, so that neither waits for the other's rows.
    await lockAccounts(trx, [id])
    if ((await updateRead(trx, id, shown, ctx.clock.now())) > 0)
      announce(trx, { kind: 'notifications.changed', ownerId: id, repositoryId: null })
  })
  const { unread } = await listNotifications(ctx, { cursor: undefined, limit: 1, unread_only: true })
  return unread
}
