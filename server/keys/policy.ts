import { maySeePerson, subjectOf } from '@/server/access'
import { findAccountById } from '@/server/kernel/account'
import { type Caller, isAdmin, isSelf } from '@/server/kernel/caller'
import type { UserCtx } from '@/server/kernel/ctx'
import { notFound } from '@/server/kernel/errors'
import { isFeatureDisabled } from '@/server/kernel/features'
import type { KeyRow } from './store'

/** True for the owner and administrators, who see the private details of a key and may delete it. */
export function ownsKey(caller: Caller, key: Pick<KeyRow, 'owner_id'>): boolean {
  return isAdmin(caller) || isSelf(caller, key.owner_id)
}

/** Whether the caller may see a key by its id. A principal, a login name in a certificate, is for its owner and administrators. */
export async function mayReadKey(ctx: UserCtx, key: Pick<KeyRow, 'owner_id' | 'type'>): Promise<boolean> {
  if (key.type === 'principal' && !ownsKey(ctx.caller, key)) return false
  return await maySeeOwner(ctx, key)
}

/** Whether the caller may see the person whose key it is. A deploy key is nobody's. */
export async function maySeeOwner(ctx: UserCtx, key: Pick<KeyRow, 'owner_id'>): Promise<boolean> {
  if (key.owner_id === null || ownsKey(ctx.caller, key)) return true
  const owner = await findAccountById(ctx.db, key.owner_id)
  return owner !== undefined && maySeePerson(subjectOf(ctx.caller), owner)
}

/** @throws {DomainError} notFound where people with the caller's kind of login may not manage keys here. */
export function requireKeyManagement({ config, caller }: Pick<UserCtx, 'caller' | 'config'>): void {
  if (isFeatureDisabled(config, caller.user.login_type, 'manage_ssh_keys')) {
    throw notFound('ssh keys setting is not allowed to be changed')
  }
}
