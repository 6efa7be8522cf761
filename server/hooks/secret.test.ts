import { Webhook } from 'standardwebhooks'
import { expect, it } from 'vitest'
import { base64In, secretProblem } from './secret'

it.each(['a secret', '', 'whsec', 'WHSEC_?', ' whsec_?', 'ключ'])('%j is a secret as it is', secret => {
  expect([secretProblem(secret), base64In(secret)]).toEqual([undefined, undefined])
})

it.each(['a', 'ab', 'abc', 'thirty-two bytes of a random key', '\xff\xfe\xfd'])(
  '%j in base64 is a secret of Standard Webhooks, which their library takes',
  bytes => {
    const text = Buffer.from(bytes, 'latin1').toString('base64')
    expect([secretProblem(`whsec_${text}`), base64In(`whsec_${text}`)]).toEqual([undefined, text])
    expect(() => new Webhook(`whsec_${text}`)).not.toThrow()
  },
)

it.each(['', '?', 'my secret', 'YWI', 'YWI==', 'YWJj\n', 'YW==YWJj', 'YWJ=', 'Y-_j', 'hunter2'])(
  'whsec_%s is refused, and told what would be right',
  rest => {
    expect(secretProblem(`whsec_${rest}`)).toContain('goes on in base64')
  },
)
