import { maySeePerson, subjectOf } from '@/server/access'
import { findAccountById } from '@/server/kernel/account'
import { type Caller, isAdmin, isSelf } from '@/server/kernel/caller'
import type { UserCtx } from '@/server/kernel/ctx'
import { notFound } from '@/server/kernel/errors'
import { isFeatureDisabled } from '@/server/kernel/features'
import type { KeyRow } from './store'

/** Returns whether the caller can see the private details of a key and delete it: its owner and administrators can. */
export function ownsKey(caller: Caller, key: Pick<KeyRow, 'owner_id'>): boolean {
  return isAdmin(caller) || isSelf(caller, key.owner_id)
}

/**
 * Returns whether the caller can see a key by its ID. Only the owner and administrators can see a principal, which is
 * a login name in a certificate.
 */
export async function mayReadKey(ctx: UserCtx, key: Pick<KeyRow, 'owner_id' | 'type'>): Promise<boolean> {
  if (key.type === 'principal' && !ownsKey(ctx.caller, key)) return false
  return await maySeeOwner(ctx, key)
}

/** Returns whether the caller can see the owner of a key. A deploy key has no owner. */
export async function maySeeOwner(ctx: UserCtx, key: Pick<KeyRow, 'owner_id'>): Promise<boolean> {
  if (key.owner_id === null || ownsKey(ctx.caller, key)) return true
  const owner = await findAccountById(ctx.db, key.owner_id)
  return owner !== undefined && maySeePerson(subjectOf(ctx.caller), owner)
}

/**
 * Checks that the site lets accounts with the caller's login type, such as local or LDAP, manage SSH keys.
 * @throws {DomainError} notFound if it does not.
 */
export function requireKeyManagement({ config, caller }: Pick<UserCtx, 'caller' | 'config'>): void {
  if (isFeatureDisabled(config, caller.user.login_type, 'manage_ssh_keys')) {
    throw notFound('ssh keys setting is not allowed to be changed')
  }
}
