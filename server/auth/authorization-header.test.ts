import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseAuthorization } from './authorization-header'

const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`

describe('an Authorization header with a token', () => {
  it.each(['token abc', 'Token abc', 'BEARER abc', 'bearer \t abc', '  Bearer abc  '])(
    'is parsed: "%s"',
    header => {
      expect(parseAuthorization(header)).toEqual({ kind: 'token', secret: 'abc' })
    },
  )

  it.each(['token', 'Bearer ', 'token a b', 'Bearer a b c'])('is malformed: "%s"', header => {
    expect(parseAuthorization(header)).toBe('malformed')
  })
})

describe('an Authorization header with a username and password', () => {
  it.each([
    ['ada:secret', 'ada', 'secret'],
    ['ada:', 'ada', ''],
    [':secret', '', 'secret'],
    ['ada:se:cr:et', 'ada', 'se:cr:et'],
    ['äda:pässwörd 🦊', 'äda', 'pässwörd 🦊'],
  ])('is parsed: "%s"', (text, name, password) => {
    expect(parseAuthorization(basic(text))).toEqual({ kind: 'basic', name, password })
  })

  it('is parsed into the same pair for any username without a colon', () => {
    const name = fc.string({ unit: 'grapheme' }).filter(text => !text.includes(':'))
    fc.assert(
      fc.property(name, fc.string({ unit: 'grapheme' }), (name, password) => {
        expect(parseAuthorization(basic(`${name}:${password}`))).toEqual({ kind: 'basic', name, password })
      }),
    )
  })

  it.each(['Basic', 'Basic a b', 'Basic bm9jb2xvbg==', 'Basic !!!!'])('is malformed: "%s"', header => {
    expect(parseAuthorization(header)).toBe('malformed')
  })
})

describe('an Authorization header of another scheme', () => {
  it.each([null, '', 'Digest x', 'Negotiate abc', 'abc', 'tokenabc'])('is ignored: %j', header => {
    expect(parseAuthorization(header)).toBeUndefined()
  })

  it('never throws, whatever the header', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), header => void parseAuthorization(header)))
  })
})
