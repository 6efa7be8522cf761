import { withTransaction } from '@/db/transaction'
import type { UserCtx } from '@/server/kernel/ctx'
import { deleted } from '@/server/kernel/errors'
import type { HookFor } from './load'
import { aboutHook, recordHookEvent } from './record'
import { deleteHook, lockHook } from './store'

/**
 * Deletes a webhook. Its deliveries are deleted later by a background job, because there may be very many.
 * @throws {DomainError} notFound if the webhook is deleted concurrently.
 */
export async function removeHook(ctx: UserCtx, { scope, hook: { id } }: HookFor): Promise<void> {
  await withTransaction(ctx.db, async trx => {
    const hook = await lockHook(trx, scope, id)
    if (!hook) throw deleted('hook')
    await deleteHook(trx, id)
    await recordHookEvent(ctx, trx, { kind: 'hook.removed', ...aboutHook(scope, hook) })
  })
}
