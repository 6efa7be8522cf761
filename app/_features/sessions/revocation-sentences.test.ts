import { expect, it } from 'vitest'
import { revocationSentences } from './revocation-sentences'

it('names what is taken and what stays', () => {
  const kept_keys = { total: 1, names: ['from the directory'] }
  expect(
    revocationSentences({ keys: 1, tokens: 2, sessions: 3, registration_token: true, offers: 1, kept_keys }),
  ).toEqual([
    '1 SSH key is deleted, and connections that are open with it end at once.',
    '2 access tokens are revoked, and programs that use them stop working.',
    '3 sessions end.',
    'The token that registers runners of the account is replaced; runners that are registered stay.',
    '1 transfer of a repository that the account offered, and that nobody accepted yet, is canceled.',
    '1 SSH key stays, managed elsewhere: from the directory.',
  ])
})

it('says where there is nothing to take', () => {
  const kept_keys = { total: 0, names: [] }
  const nothing = { keys: 0, tokens: 0, sessions: 0, registration_token: false, offers: 0, kept_keys }
  expect(revocationSentences(nothing)).toEqual([
    'There is no SSH key to delete.',
    'There is no access token to revoke.',
    'There is no session to end.',
  ])
})
