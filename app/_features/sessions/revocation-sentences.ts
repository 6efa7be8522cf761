import { counted, listNames } from '@/app/_lib/format'
import type { Revocation } from '@/server/removals/schema'

/**
 * Returns sentences that describe which credentials of an account a revocation removes, and which SSH keys it
 * keeps.
 */
export function revocationSentences({
  keys,
  tokens,
  sessions,
  registration_token: hasRegistrationToken,
  offers,
  kept_keys: kept,
}: Revocation): string[] {
  return [
    keys > 0
      ? `${counted(keys, 'SSH key', 'SSH keys')} will be deleted, and open connections that use ${keys === 1 ? 'it' : 'them'} will be closed.`
      : 'There are no SSH keys to delete.',
    tokens > 0
      ? `${counted(tokens, 'access token', 'access tokens')} will be revoked, and programs that use ${tokens === 1 ? 'it' : 'them'} will lose access.`
      : 'There are no access tokens to revoke.',
    sessions > 0 ? `${counted(sessions, 'session', 'sessions')} will end.` : 'There are no sessions to end.',
    ...(hasRegistrationToken
      ? ['The account’s runner registration token will be replaced. Registered runners won’t be removed.']
      : []),
    ...(offers > 0
      ? [
          `${counted(offers, 'pending repository transfer', 'pending repository transfers')} offered by the account will be canceled.`,
        ]
      : []),
    ...(kept.total > 0
      ? [
          `${counted(kept.total, 'SSH key', 'SSH keys')} managed by a directory service won’t be deleted: ${listNames(kept)}.`,
        ]
      : []),
  ]
}
