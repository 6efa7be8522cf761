import type { UserCtx } from '@/server/kernel/ctx'
import { notFound } from '@/server/kernel/errors'
import { mayReadKey } from './policy'
import type { PublicKey } from './schema'
import { findKey } from './store'
import { viewKey, visibleOwner } from './view'

/**
 * Returns an SSH key by its ID.
 * @throws {DomainError} notFound if the key does not exist or its owner is hidden from the caller; also for
 * another person's certificate principal (a login name in SSH certificates), unless the caller is an
 * administrator.
 */
export async function getKey(ctx: UserCtx, id: number): Promise<PublicKey> {
  const key = await findKey(ctx.db, id)
  if (!key || !(await mayReadKey(ctx, key))) throw notFound()
  return viewKey(ctx, key, await visibleOwner(ctx, key))
}
