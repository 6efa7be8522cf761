import type { Transaction } from 'kysely'
import { anyOf } from '@/db/sql'
import type { Database } from '@/db/tables'
import type { UserCtx } from '@/server/kernel/ctx'
import { reauthenticate } from './authenticate'

/**
 * Checks, in the transaction that hands out a credential, that the caller's own is still good: the request may have
 * begun long ago. Until the transaction ends, nobody can revoke everything that the account has; call it before anything
 * else is locked.
 * @throws {DomainError} as `reauthenticate`.
 */
export async function confirmCaller(ctx: UserCtx, trx: Transaction<Database>): Promise<void> {
  const { user, actor } = ctx.caller
  await trx
    .selectFrom('users')
    .select('id')
    .where('id', '=', anyOf(actor ? [user.id, actor.id] : [user.id]))
    .orderBy('id')
    // Waits for `lockUser`, which a mere reference, "for key share", does not.
    .forShare()
    .execute()
  await reauthenticate({ ...ctx, db: trx }, ctx.caller)
}
