import { isPublicOnly } from '@/server/kernel/auth/scopes'
import type { Caller } from '@/server/kernel/caller'
import type { Subject } from './decide'

/** The caller as the rules see them. */
export function subjectOf(caller: Caller): Subject {
  if (caller.kind === 'anonymous') return caller
  const { user, credential } = caller
  const publicOnly = credential.kind === 'token' && isPublicOnly(credential.scopes)
  return { kind: 'user', id: user.id, isAdmin: user.is_admin, isRestricted: user.is_restricted, publicOnly }
}

/** Somebody else, asked about: no token stands between them and their rights. */
export function subjectFor(account: { id: number; is_admin: boolean; is_restricted: boolean }): Subject {
  const { id, is_admin: isAdmin, is_restricted: isRestricted } = account
  return { kind: 'user', id, isAdmin, isRestricted, publicOnly: false }
}
