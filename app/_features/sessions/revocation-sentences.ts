import { counted, listNames } from '@/app/_lib/format'
import type { Revocation } from '@/server/removals/schema'

/** What is taken from an account, and what stays, in whole sentences. */
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
      ? `${counted(keys, 'SSH key is', 'SSH keys are')} deleted, and connections that are open with ${keys === 1 ? 'it' : 'them'} end at once.`
      : 'There is no SSH key to delete.',
    tokens > 0
      ? `${counted(tokens, 'access token is', 'access tokens are')} revoked, and programs that use ${tokens === 1 ? 'it' : 'them'} stop working.`
      : 'There is no access token to revoke.',
    sessions > 0 ? `${counted(sessions, 'session ends', 'sessions end')}.` : 'There is no session to end.',
    ...(hasRegistrationToken
      ? ['The token that registers runners of the account is replaced; runners that are registered stay.']
      : []),
    ...(offers > 0
      ? [
          `${counted(offers, 'transfer of a repository', 'transfers of repositories')} that the account offered, and that nobody accepted yet, ${offers === 1 ? 'is' : 'are'} canceled.`,
        ]
      : []),
    ...(kept.total > 0
      ? [`${counted(kept.total, 'SSH key stays', 'SSH keys stay')}, managed elsewhere: ${listNames(kept)}.`]
      : []),
  ]
}
