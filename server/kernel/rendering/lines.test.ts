import { expect, it } from 'vitest'
import { createLineWriter } from './lines'

function write(text: string, className = '') {
  const writer = createLineWriter(text)
  writer.add(text.length, className)
  return writer.finish()
}

/** Returns the text that a browser would copy. */
const copied = (lines: readonly string[]): string =>
  lines
    .join('\n')
    .replace(/<[^>]*>/g, '')
    .replaceAll('&#13;', '\r')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&amp;', '&')

it('elements never reach into the next line', () => {
  expect(write('/* a\n\nb */\n', 'pl-c').lines).toEqual(['<pl-c>/* a</pl-c>', '', '<pl-c>b */</pl-c>'])
})

it('the last line is left out only if it is empty', () => {
  expect(write('').lines).toEqual([])
  expect(write('a').lines).toEqual(['a'])
  expect(write('a\n').lines).toEqual(['a'])
  expect(write('a\n\n').lines).toEqual(['a', ''])
})

it.each([
  ['an override', 'a = "\u202e\u2066// x\u2069"', ['202E', '2066', '2069']],
  ['a space without width', 'is\u200bAdmin', ['200B']],
  ['a filler that is a letter', 'const \u3164 = 1', ['3164']],
  ['a joiner in Latin text', 'a\u200db\u200cc', ['200D', '200C']],
  ['a direction mark in Latin text', 'x\u200f = 1', ['200F']],
  ['a byte order mark inside', 'a\ufeff', ['FEFF']],
  ['selectors that hide data', 'a\ufe00\ufe01\u{e0100}', ['FE00', 'FE01', 'E0100']],
  ['selectors after an emoji that hide data', '☺\ufe0f\ufe01', ['FE01']],
  ['tags that are no flag', '\u{1f3f4}\u{e0061}x\u{e0062}', ['E0061', 'E0062']],
  ['control characters', '\x1b[31m\x7f\x9f', ['001B', '007F', '009F']],
  ['a lone carriage return', 'a\rb', ['000D']],
  ['a line separator', 'a\u2028b', ['2028']],
])('%s is marked, and the text copies unchanged', (_, text, codes) => {
  const { lines, hasInvisible } = write(text, 'pl-s')
  expect([...lines.join('').matchAll(/data-code="U\+(\w+)"/g)].map(([, code]) => code)).toEqual(codes)
  expect(hasInvisible).toBe(true)
  expect(copied(lines)).toBe(text)
})

it.each([
  ['Persian', 'می\u200cخواهم'],
  ['Arabic and Hebrew with marks', 'سلام\u200f! שלום\u200f (x)'],
  ['Hindi and Sinhala', 'क्\u200dष ශ්\u200dරී'],
  ['families', '👩\u200d👩\u200d👧 👨🏽\u200d💻 🏳\ufe0f\u200d🌈 ❤\ufe0f\u200d🔥'],
  ['keycaps', '1\ufe0f\u20e3 #\ufe0f\u20e3'],
  ['symbols', '☺\ufe0f ©\ufe0f ✔\ufe0e'],
  ['flags', '🇩🇪 \u{1f3f4}\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}'],
  ['variants of ideographs', '葛\u{e0100}'],
  ['a byte order mark at the beginning', '\ufeffusing System;'],
  ['tabs and form feeds', '\tint x;\f'],
])('ordinary text is not marked: %s', (_, text) => {
  const { lines, hasInvisible } = write(text)
  expect(hasInvisible).toBe(false)
  expect(lines).toEqual([text])
})
