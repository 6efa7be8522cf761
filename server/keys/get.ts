import type { UserCtx } from '@/server/kernel/ctx'
import { notFound } from '@/server/kernel/errors'
import { mayReadKey } from './policy'
import type { PublicKey } from './schema'
import { findKey } from './store'
import { viewKey, visibleOwner } from './view'

/**
 * Gets any key by its id, for any signed-in caller.
 * @throws {DomainError} notFound, also for another person's principal.
 */
export async function getKey(ctx: UserCtx, id: number): Promise<PublicKey> {
  const key = await findKey(ctx.db, id)
  if (!key || !mayReadKey(ctx.caller, key)) throw notFound()
  return viewKey(ctx, key, await visibleOwner(ctx, key))
}
