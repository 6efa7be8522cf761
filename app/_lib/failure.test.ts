import { expect, it } from 'vitest'
import { parsePublicKey } from '@/server/keys/ssh/parse'
import { RegisterInput } from '@/server/users/schema'
import { messageFor } from './failure'

it('messageFor states the limit for a key that is too long', () => {
  let refused: unknown
  try {
    parsePublicKey('x'.repeat(10_000))
  } catch (error) {
    refused = error
  }
  expect(refused).toMatchObject({ reason: { code: 'keyTooLong', most: 9728 } })
  expect(messageFor({ code: 'keyTooLong', most: 9728 })).toContain('at most 9,728 characters')
})

it('RegisterInput reports problems of the username and the email address together', () => {
  const { error } = RegisterInput.safeParse({ username: 'a b', email: 'ada', password: 'a good password' })
  expect(error?.issues.map(({ path, message }) => [path[0], message])).toEqual([
    ['username', messageFor({ code: 'nameInvalid', name: 'a b' })],
    ['email', 'Enter an email address such as ada@example.com.'],
  ])
})

it("messageFor shows what a value must be without the API's field name", () => {
  expect(messageFor({ code: 'notAccepted', problem: 'it must be json or form' })).toBe(
    'It must be json or form.',
  )
})

it('messageFor isolates a right-to-left name from the text around it', () => {
  expect(messageFor({ code: 'nameTaken', what: 'key', name: 'مفتاح' })).toBe(
    'An SSH key named \u2068مفتاح\u2069 already exists.',
  )
})
