import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  filledLine,
  id,
  isEmailAddress,
  lenientFlag,
  line,
  paragraph,
  pathText,
  queryText,
  strictBoolean,
  wireTime,
} from './wire'

describe('the ID schema', () => {
  it.each([
    ['1', 1],
    ['007', 7],
    ['999999999999999', 999_999_999_999_999],
    [42, 42],
  ])('reads %j as %d', (input, value) => {
    expect(id.parse(input)).toBe(value)
  })

  it.each([
    '',
    'abc',
    '-1',
    '+1',
    '1.0',
    '1e3',
    '0x1',
    ' 1',
    '1\n',
    '１',
    '9999999999999999',
    -1,
    1.5,
    2 ** 53,
    null,
    true,
  ])('refuses %j', input => {
    expect(id.safeParse(input).success).toBe(false)
  })
})

describe('lenientFlag', () => {
  it.each([
    [['1', 't', 'T', 'TRUE', 'true', 'True', 'on', ['on', '0'], true], true],
    [['0', 'f', 'false', 'yes', 'constructor', false], false],
    [['', undefined], undefined],
  ])('reads each of %j as %j', (input, value) => {
    for (const one of input) expect(lenientFlag.parse(one)).toBe(value)
  })
})

describe('pathText', () => {
  it('returns the text that was percent-encoded', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 80 }), text => {
        // biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is left out.
        fc.pre(!/[\0-\x1f\x7f]/.test(text))
        expect(pathText.parse(encodeURIComponent(text))).toBe(text)
      }),
    )
  })

  it.each(['%', '%zz', '%00', '%0a', '%7f', '%ff', '%ed%a0%80', '\ud800', 'x'.repeat(1025)])(
    'refuses %j',
    text => {
      expect(pathText.safeParse(text).success).toBe(false)
    },
  )
})

describe('the schema of a line of text', () => {
  it.each(['a\0b', 'a\nb', '\t', '\u007f', '\ud800', 'xxxxxx'])(
    'refuses %j if its limit is five characters',
    text => {
      expect(line(5).safeParse(text).success).toBe(false)
    },
  )

  it('trims spaces in filledLine, and refuses a line of nothing but spaces', () => {
    const title = filledLine(5, 'missing')
    expect(title.parse('  abcde  ')).toBe('abcde')
    expect(title.safeParse(' \t\n ').error?.issues[0]?.message).toBe('missing')
  })

  it('allows line breaks and tabs in paragraph, but no other control characters', () => {
    expect(paragraph(20).parse('one\r\n\ttwo')).toBe('one\r\n\ttwo')
    expect(paragraph(20).safeParse('one\u001btwo').success).toBe(false)
  })
})

describe('strictBoolean', () => {
  it.each(['true', 'false', 0, 1, '', null])('refuses %j', value => {
    expect(strictBoolean.safeParse(value).success).toBe(false)
  })
})

describe('isEmailAddress', () => {
  it.each([
    'ada@example.com',
    'svc@buildhost',
    'root@localhost',
    'ada@[192.0.2.7]',
    'ada@[IPv6:2001:db8::7]',
    "o'hara+forge@example.com",
    'ä@käse.example',
    'a!b%c/d=e?f&g@x',
  ])('returns true for %s', text => {
    expect(isEmailAddress(text)).toBe(true)
  })

  it.each([
    '',
    'nobody',
    '@',
    'a@',
    '@b',
    'a@b@c',
    'a b@c',
    'a@b c',
    'a@b\n',
    'a\u00a0@b',
    'a\u200b@b',
    'Ada <a@b>',
    'a\ud800@b',
  ])('returns false for %j', text => {
    expect(isEmailAddress(text)).toBe(false)
  })
})

it('queryText returns the first value of a repeated query parameter', () => {
  expect([queryText.parse('a'), queryText.parse(['a', 'b']), queryText.parse([])]).toEqual(['a', 'a', ''])
})

it('queryText removes NUL, which the database cannot store', () => {
  expect(queryText.parse('a\0b')).toBe('ab')
})

it('wireTime formats a time in UTC, without fractions of a second', () => {
  expect(wireTime(new Date('2026-07-24T10:00:00.999+02:00'))).toBe('2026-07-24T08:00:00Z')
})
