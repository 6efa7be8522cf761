import { withTransaction } from '@/db/transaction'
import { type Facts, originOf, recordEvent } from '@/server/events'
import { anonymous, isAdmin } from '@/server/kernel/caller'
import type { AdminCtx, UserCtx } from '@/server/kernel/ctx'
import { forbidden, gone } from '@/server/kernel/errors'
import { getPerson } from '@/server/users'
import { recordRemovalEverywhere } from './deploy/remove'
import { lockRepositoriesOfKey } from './deploy/store'
import { ownsKey, requireKeyManagement } from './policy'
import { deleteKey, lockKey } from './store'
import { viewKey } from './view'

/**
 * Deletes a key of the caller's, or anybody's for an administrator; a deploy key is taken from every repository.
 * @throws {DomainError} in this order: notFound where key management is off or the key does not exist; forbidden for a
 * key that a directory manages; forbidden for another person's key.
 */
export async function removeKey(ctx: UserCtx, id: number): Promise<void> {
  requireKeyManagement(ctx)
  await remove(ctx, id)
}

/**
 * Deletes a person's key, on behalf of an administrator.
 * @throws {DomainError} notFound for the person, where key management is off, and for a key that is not theirs; forbidden
 * for a key that a directory manages.
 */
export async function removeKeyFor(ctx: AdminCtx, input: { username: string; id: number }): Promise<void> {
  const owner = await getPerson(ctx, input.username)
  requireKeyManagement(ctx)
  await remove(ctx, input.id, owner.id)
}

async function remove(ctx: UserCtx, id: number, ownerId?: number): Promise<void> {
  await withTransaction(ctx.db, async trx => {
    // Only an administrator may delete a deploy key, whose repositories are locked before the key itself.
    const repositories = isAdmin(ctx.caller) ? await lockRepositoriesOfKey(trx, id) : new Set<number>()
    const key = await lockKey(trx, id)
    if (!key || (ownerId !== undefined && key.owner_id !== ownerId)) throw gone('key')
    if (key.externally_managed) throw forbidden('SSH Key is externally managed for this user')
    if (!ownsKey(ctx.caller, key)) throw forbidden('You do not have access to this key')
    if (key.type === 'deploy') await recordRemovalEverywhere(trx, ctx, id, repositories)
    await deleteKey(trx, id)
    const { title, fingerprint } = key
    await recordEvent(trx, originOf(ctx), {
      kind: 'key.removed',
      ownerId: key.owner_id,
      facts: { keyId: id, title, fingerprint, shown: viewKey({ ...ctx, caller: anonymous }, key) as Facts },
    })
  })
}
