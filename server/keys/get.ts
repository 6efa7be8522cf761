import type { UserCtx } from '@/server/kernel/ctx'
import { notFound } from '@/server/kernel/errors'
import { mayReadKey } from './policy'
import type { PublicKey } from './schema'
import { findKey } from './store'
import { viewKey, visibleOwner } from './view'

/**
 * Returns a key by its ID.
 * @throws {DomainError} notFound, also for a key of a person that the caller cannot see, and for another person's
 * certificate principal.
 */
export async function getKey(ctx: UserCtx, id: number): Promise<PublicKey> {
  const key = await findKey(ctx.db, id)
  if (!key || !(await mayReadKey(ctx, key))) throw notFound()
  return viewKey(ctx, key, await visibleOwner(ctx, key))
}
