import { coversScopes, isScope, normaliseScopes, type Scope } from '@/server/kernel/auth/scopes'
import type { Credential } from '@/server/kernel/caller'
import { forbidden, invalid } from '@/server/kernel/errors'

/** Checks and normalises the scopes asked for. Throws invalid for none or unknown ones, forbidden for more than held. */
export function wantedScopes(words: readonly string[] | undefined, credential: Credential): Scope[] {
  const unknown = words?.find(word => !isScope(word))
  if (unknown !== undefined) {
    throw invalid(`invalid access token scope provided: ${unknown}`, { field: 'scopes' })
  }
  const scopes = normaliseScopes((words ?? []).filter(isScope))
  if (scopes.length === 0) throw invalid('access token must have a scope', { field: 'scopes' })
  if (credential.kind === 'token' && !coversScopes(credential.scopes, scopes)) {
    throw forbidden('cannot create an access token with a broader scope than the authenticating token')
  }
  return scopes
}
