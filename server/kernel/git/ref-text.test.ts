import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { bytesForGit, nameShownAs, nameWithBytes, shownName, textFromGit } from './ref-text'

describe('the text of a Git ref name', () => {
  it('preserves arbitrary bytes, and equals the decoded text if they are valid UTF-8', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 40 }), array => {
        const bytes = Buffer.from(array)
        const text = textFromGit(bytes)
        expect(bytesForGit(text)).toEqual(bytes)
        expect(text.isWellFormed()).toBe(Buffer.from(bytes.toString('utf8')).equals(bytes))
      }),
    )
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), text => {
        expect(textFromGit(Buffer.from(text))).toBe(text)
      }),
    )
  })

  it.each([
    ['caf\xe9', 'caf%E9', 'caf\\xe9'],
    ['\xc3\xa9\xe9', 'é%E9', 'é\\xe9'],
    ['\xed\xa0\x80', '%ED%A0%80', '\\xed\\xa0\\x80'],
    ['\xf0\x9f\x9a\x80\xff', '🚀%FF', '🚀\\xff'],
  ])('is displayed and searchable in escaped form if it has invalid UTF-8: %j', (latin1, shown, escaped) => {
    const name = textFromGit(Buffer.from(latin1, 'latin1'))
    expect([shownName(name), nameWithBytes(name)]).toEqual([shown, escaped])
    const small = shown.replace(/%../g, letters => letters.toLowerCase())
    expect([nameShownAs(shown), nameShownAs(small)]).toEqual([name, name])
  })

  it.each(['main', 'é', '100%', '%2f', '%c3%a9', '\ufffd'])(
    'is displayed unchanged if it is valid UTF-8: %j',
    text => {
      expect([shownName(text), nameShownAs(text)]).toEqual([text, undefined])
    },
  )
})
