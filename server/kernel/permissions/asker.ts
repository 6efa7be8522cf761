import { isPublicOnly } from '../auth/scopes'
import type { Caller } from '../caller'
import type { Asker } from './decide'

/** The caller as the rules see them. */
export function askerOf(caller: Caller): Asker {
  if (caller.kind === 'anonymous') return caller
  const { user, credential } = caller
  const publicOnly = credential.kind === 'token' && isPublicOnly(credential.scopes)
  return { kind: 'user', id: user.id, isAdmin: user.is_admin, isRestricted: user.is_restricted, publicOnly }
}

/** Somebody else, asked about: no token stands between them and their rights. */
export function askerNamed(account: { id: number; is_admin: boolean; is_restricted: boolean }): Asker {
  const { id, is_admin: isAdmin, is_restricted: isRestricted } = account
  return { kind: 'user', id, isAdmin, isRestricted, publicOnly: false }
}
