import type { Transaction } from 'kysely'
import type { Database } from '@/db/tables'
import { withTransaction } from '@/db/transaction'
import { type Facts, type NewEvent, originOf, recordEvents } from '@/server/events'
import { anonymous, isAdmin } from '@/server/kernel/caller'
import type { AdminCtx, UserCtx } from '@/server/kernel/ctx'
import { forbidden, gone } from '@/server/kernel/errors'
import { getPerson } from '@/server/users'
import { recordRemovalEverywhere } from './deploy/remove'
import { lockRepositoriesOfKey } from './deploy/store'
import { ownsKey, requireKeyManagement } from './policy'
import { deleteKeys, type LockedKey, lockKey, lockKeysOf } from './store'
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
    await deleteKeys(trx, [id])
    await recordEvents(trx, originOf(ctx), [removalOf(ctx, key)])
  })
}

/**
 * Deletes all keys of one person in a transaction that the caller began, but for those that a directory manages. Records
 * an event for each; returns their number, and the titles of those that stay. The caller has settled that whoever asks may
 * do so, even where people may not manage their keys: this is for emergencies.
 */
export async function removeAllKeys(
  ctx: UserCtx,
  trx: Transaction<Database>,
  ownerId: number,
): Promise<{ removed: number; kept: string[] }> {
  const keys = await lockKeysOf(trx, ownerId)
  const removed = keys.filter(key => !key.externally_managed)
  await deleteKeys(
    trx,
    removed.map(key => key.id),
  )
  await recordEvents(
    trx,
    originOf(ctx),
    removed.map(key => removalOf(ctx, key)),
  )
  return {
    removed: removed.length,
    kept: keys.filter(key => !removed.includes(key)).map(key => key.title),
  }
}

const removalOf = (ctx: UserCtx, key: LockedKey): NewEvent => ({
  kind: 'key.removed',
  ownerId: key.owner_id,
  facts: {
    keyId: key.id,
    title: key.title,
    fingerprint: key.fingerprint,
    shown: viewKey({ ...ctx, caller: anonymous }, key) as Facts,
  },
})
