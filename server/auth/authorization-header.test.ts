import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseAuthorization } from './authorization-header'

const basic = (text: string) => `Basic ${Buffer.from(text).toString('base64')}`

describe('a token', () => {
  it.each(['token abc', 'Token abc', 'BEARER abc', 'bearer \t abc', '  Bearer abc  '])(
    'stands in "%s"',
    header => {
      expect(parseAuthorization(header)).toEqual({ kind: 'token', secret: 'abc' })
    },
  )

  it.each(['token', 'Bearer ', 'token a b', 'Bearer a b c'])('"%s" is malformed', header => {
    expect(parseAuthorization(header)).toBe('malformed')
  })
})

describe('a name and a password', () => {
  it.each([
    ['ada:secret', 'ada', 'secret'],
    ['ada:', 'ada', ''],
    [':secret', '', 'secret'],
    ['ada:se:cr:et', 'ada', 'se:cr:et'],
    ['äda:pässwörd 🦊', 'äda', 'pässwörd 🦊'],
  ])('are read from "%s"', (text, name, password) => {
    expect(parseAuthorization(basic(text))).toEqual({ kind: 'basic', name, password })
  })

  it('any pair comes back as it was, as long as the name has no colon', () => {
    const name = fc.string({ unit: 'grapheme' }).filter(text => !text.includes(':'))
    fc.assert(
      fc.property(name, fc.string({ unit: 'grapheme' }), (name, password) => {
        expect(parseAuthorization(basic(`${name}:${password}`))).toEqual({ kind: 'basic', name, password })
      }),
    )
  })

  it.each(['Basic', 'Basic a b', 'Basic bm9jb2xvbg==', 'Basic !!!!'])('"%s" is malformed', header => {
    expect(parseAuthorization(header)).toBe('malformed')
  })
})

describe('nothing of ours', () => {
  it.each([null, '', 'Digest x', 'Negotiate abc', 'abc', 'tokenabc'])('%j', header => {
    expect(parseAuthorization(header)).toBeUndefined()
  })

  it('no header throws', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), header => void parseAuthorization(header)))
  })
})
