import { expect, it } from 'vitest'
import { parsePublicKey } from '@/server/keys/ssh/parse'
import { RegisterInput } from '@/server/users/schema'
import { messageFor } from './failure'

it('a key that is too long is told the limit', () => {
  let refused: unknown
  try {
    parsePublicKey('x'.repeat(10_000))
  } catch (error) {
    refused = error
  }
  expect(refused).toMatchObject({ reason: { code: 'keyTooLong', most: 9728 } })
  expect(messageFor({ code: 'keyTooLong', most: 9728 })).toContain('at most 9,728 characters')
})

it('a new account is told at once what is wrong with its name and with its e-mail address', () => {
  const { error } = RegisterInput.safeParse({ username: 'a b', email: 'ada', password: 'a good password' })
  expect(error?.issues.map(({ path, message }) => [path[0], message])).toEqual([
    ['username', messageFor({ code: 'nameInvalid', name: 'a b' })],
    ['email', 'Enter an e-mail address such as ada@example.com.'],
  ])
})

it('a value that was not accepted is told what is right, without the name that the wire has for its field', () => {
  expect(messageFor({ code: 'notAccepted', problem: 'give json or form' })).toBe('Give json or form.')
})

it('a name that runs from right to left is kept apart from the words around it', () => {
  expect(messageFor({ code: 'nameTaken', what: 'key', name: 'مفتاح' })).toBe(
    'An SSH key named \u2068مفتاح\u2069 already exists.',
  )
})
