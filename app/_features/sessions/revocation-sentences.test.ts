import { expect, it } from 'vitest'
import { revocationSentences } from './revocation-sentences'

it('revocationSentences describes the removed credentials and the SSH keys that are kept', () => {
  const kept_keys = { total: 1, names: ['from the directory'] }
  expect(
    revocationSentences({ keys: 1, tokens: 2, sessions: 3, registration_token: true, offers: 1, kept_keys }),
  ).toEqual([
    '1 SSH key will be deleted, and open connections that use it will be closed.',
    '2 access tokens will be revoked, and programs that use them will lose access.',
    '3 sessions will end.',
    'The account’s runner registration token will be replaced. Registered runners won’t be removed.',
    '1 pending repository transfer offered by the account will be canceled.',
    '1 SSH key managed by a directory service won’t be deleted: from the directory.',
  ])
})

it('revocationSentences states that an account has no keys, tokens, or sessions to remove', () => {
  const kept_keys = { total: 0, names: [] }
  const nothing = { keys: 0, tokens: 0, sessions: 0, registration_token: false, offers: 0, kept_keys }
  expect(revocationSentences(nothing)).toEqual([
    'There are no SSH keys to delete.',
    'There are no access tokens to revoke.',
    'There are no sessions to end.',
  ])
})
