import { Webhook } from 'standardwebhooks'
import { expect, it } from 'vitest'
import { base64In, secretProblem } from './secret'

it.each(['a secret', '', 'whsec', 'WHSEC_?', ' whsec_?', 'ключ'])(
  'the secret %j is accepted and used as raw text',
  secret => {
    expect([secretProblem(secret), base64In(secret)]).toEqual([undefined, undefined])
  },
)

it.each(['a', 'ab', 'abc', 'thirty-two bytes of a random key', '\xff\xfe\xfd'])(
  'a secret of whsec_ and %j in base64 is accepted, also by the Standard Webhooks library',
  bytes => {
    const text = Buffer.from(bytes, 'latin1').toString('base64')
    expect([secretProblem(`whsec_${text}`), base64In(`whsec_${text}`)]).toEqual([undefined, text])
    expect(() => new Webhook(`whsec_${text}`)).not.toThrow()
  },
)

it.each(['', '?', 'my secret', 'YWI', 'YWI==', 'YWJj\n', 'YW==YWJj', 'YWJ=', 'Y-_j', 'hunter2'])(
  'the secret whsec_%s is refused with a message that says what is expected',
  rest => {
    expect(secretProblem(`whsec_${rest}`)).toContain('must continue with padded base64')
  },
)
