import { type Caller, isAdmin, isSelf } from '@/server/kernel/caller'
import type { UserCtx } from '@/server/kernel/ctx'
import { notFound } from '@/server/kernel/errors'
import { isFeatureDisabled } from '@/server/kernel/features'
import type { KeyRow } from './store'

/** True for the owner and administrators, who see the private details of a key and may delete it. */
export function ownsKey(caller: Caller, key: Pick<KeyRow, 'owner_id'>): boolean {
  return isAdmin(caller) || isSelf(caller, key.owner_id)
}

/** Whether the caller may see a key. A principal, a login name in a certificate, is for its owner and administrators. */
export function mayReadKey(caller: Caller, key: Pick<KeyRow, 'owner_id' | 'type'>): boolean {
  return key.type !== 'principal' || ownsKey(caller, key)
}

/** @throws {DomainError} notFound where people with the caller's kind of login may not manage keys here. */
export function requireKeyManagement({ config, caller }: Pick<UserCtx, 'caller' | 'config'>): void {
  if (isFeatureDisabled(config, caller.user.login_type, 'manage_ssh_keys')) {
    throw notFound('ssh keys setting is not allowed to be changed')
  }
}
