import type { UserCaller } from '../caller'
import type { Config } from '../config'
import { forbidden } from '../errors'
import { hasScope } from './scopes'

/**
 * Where the site asks for it, holds an administrator's token to the scope `write:admin` before it acts for somebody else.
 * Throws forbidden.
 */
export function requireAdminScope({ requireAdminScope }: Config, { credential }: UserCaller): void {
  if (!requireAdminScope || credential.kind !== 'token' || hasScope(credential.scopes, 'admin', 'write'))
    return
  throw forbidden(
    `to act for somebody else this token needs the scope write:admin, and has ${credential.scopes.join(',') || 'none'}`,
  )
}
