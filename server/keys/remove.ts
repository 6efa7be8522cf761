import type { Transaction } from 'kysely'
import type { Database } from '@/db/tables'
import { withTransaction } from '@/db/transaction'
import { type Facts, type NewEvent, originOf, recordEvents } from '@/server/events'
import { anonymous, isAdmin } from '@/server/kernel/caller'
import type { AdminCtx, UserCtx } from '@/server/kernel/ctx'
import { deleted, forbidden } from '@/server/kernel/errors'
import { getPerson } from '@/server/users'
import { recordRemovalEverywhere } from './deploy/remove'
import { lockRepositoriesOfKeys } from './deploy/store'
import { ownsKey, requireKeyManagement } from './policy'
import { deleteKeys, type LockedKey, lockKeys, lockKeysOf } from './store'
import { viewKey } from './view'

/**
 * Deletes an SSH key of the caller or, for an administrator, of anyone. A deploy key is removed from every
 * repository.
 * @throws {DomainError} in this order: notFound if the site does not let the caller manage SSH keys or the
 * key does not exist; forbidden for a key that is managed by an external directory, such as LDAP; forbidden
 * for another person's key.
 */
export async function removeKey(ctx: UserCtx, id: number): Promise<void> {
  requireKeyManagement(ctx)
  if ((await remove(ctx, [id])) === 0) throw deleted('key')
}

/**
 * Deletes several SSH keys in one transaction, either all of them or none. Skips keys that no longer exist.
 * Returns the number of deleted keys.
 * @throws {DomainError} notFound if the site does not let the caller manage SSH keys; forbidden for a key
 * that is managed by an external directory, such as LDAP, and for another person's key unless the caller is
 * an administrator.
 */
export async function removeKeys(ctx: UserCtx, ids: readonly number[]): Promise<number> {
  requireKeyManagement(ctx)
  return await remove(ctx, ids)
}

/**
 * Deletes a person's SSH key, on behalf of an administrator.
 * @throws {DomainError} notFound if the person does not exist or does not have the key, or if the site does
 * not let the caller manage SSH keys; forbidden for a key that is managed by an external directory, such as
 * LDAP.
 */
export async function removeKeyFor(ctx: AdminCtx, input: { username: string; id: number }): Promise<void> {
  const owner = await getPerson(ctx, input.username)
  requireKeyManagement(ctx)
  if ((await remove(ctx, [input.id], owner.id)) === 0) throw deleted('key')
}

/**
 * Deletes several SSH keys of a person, on behalf of an administrator, either all of them or none. Skips keys
 * that no longer exist. Returns the number of deleted keys.
 * @throws {DomainError} notFound if the person does not exist or the site does not let the caller manage SSH
 * keys; forbidden for a key that is managed by an external directory, such as LDAP.
 */
export async function removeKeysFor(
  ctx: AdminCtx,
  input: { username: string; ids: readonly number[] },
): Promise<number> {
  const owner = await getPerson(ctx, input.username)
  requireKeyManagement(ctx)
  return await remove(ctx, input.ids, owner.id)
}

/** Deletes the keys, optionally only those of one owner. Returns the number of deleted keys. */
async function remove(ctx: UserCtx, ids: readonly number[], ownerId?: number): Promise<number> {
  return await withTransaction(ctx.db, async trx => {
    // Only an administrator can delete a deploy key. Its repositories are locked before the key itself.
    const repositories = isAdmin(ctx.caller) ? await lockRepositoriesOfKeys(trx, ids) : new Set<number>()
    const found = await lockKeys(trx, ids)
    const keys = found.filter(key => ownerId === undefined || key.owner_id === ownerId)
    for (const key of keys) {
      if (key.externally_managed) throw forbidden('SSH Key is externally managed for this user')
      if (!ownsKey(ctx.caller, key)) throw forbidden('You do not have access to this key')
    }
    await recordRemovalEverywhere(trx, ctx, idsOf(keys.filter(key => key.type === 'deploy')), repositories)
    await deleteKeys(trx, idsOf(keys))
    await recordEvents(
      trx,
      originOf(ctx),
      keys.map(key => removalOf(ctx, key)),
    )
    return keys.length
  })
}

const idsOf = (keys: readonly LockedKey[]): number[] => keys.map(key => key.id)

/**
 * Deletes all SSH keys of a person in the caller's transaction, except those that are managed by an external
 * directory, such as LDAP, and records an event for each. Returns the number of deleted keys and the titles
 * of the remaining ones. Because it is for emergencies, it works even if the site does not let people manage
 * their keys. The caller must have authorized it.
 */
export async function removeAllKeys(
  ctx: UserCtx,
  trx: Transaction<Database>,
  ownerId: number,
): Promise<{ removed: number; kept: string[] }> {
  const keys = await lockKeysOf(trx, ownerId)
  const removed = keys.filter(key => !key.externally_managed)
  await deleteKeys(trx, idsOf(removed))
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
