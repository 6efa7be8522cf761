import { expect, it } from 'vitest'
import { hasMarks, markInvisible } from './mark-invisible'

const mark = (letter: string): string =>
  `<span class="invisible-character" data-code="U+${letter.codePointAt(0)?.toString(16).toUpperCase().padStart(4, '0')}">${letter}</span>`

it.each([
  ['a direction', '<p>a\u202eb</p>', `<p>a${mark('\u202e')}b</p>`],
  [
    'several',
    '<p>\u200b<b>\u2066</b>\u200b</p>',
    `<p>${mark('\u200b')}<b>${mark('\u2066')}</b>${mark('\u200b')}</p>`,
  ],
  ['a tag of a letter', 'x\u{e0041}', `x${mark('\u{e0041}')}`],
  ['a soft hyphen in code', '<code>a\u00adb</code>', `<code>a${mark('\u00ad')}b</code>`],
])('markInvisible marks %s', (_, html, marked) => {
  expect(markInvisible(html)).toBe(marked)
  expect(hasMarks(marked)).toBe(true)
})

it.each([
  ['attributes', '<a title="a\u202eb" href="/x">a</a>'],
  ['what is marked already', `<code>${mark('\u202e')}</code>`],
  ['soft hyphens in prose', '<p>hy\u00adphen</p>'],
  [
    'emoji and joined scripts',
    '<p>\u{1f468}\u200d\u{1f469} \u0646\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645</p>',
  ],
  ['ordinary text', '<p>a &lt; b</p>'],
])('markInvisible leaves %s as they are', (_, html) => {
  expect(markInvisible(html)).toBe(html)
})

it('markInvisible marks 2,000 characters of a text and leaves out the others, in little time', () => {
  const html = markInvisible(`<p>${'\u200b'.repeat(500_000)}a</p>`)
  expect(html.match(/data-code/g)).toHaveLength(2_000)
  expect(html.endsWith(`${mark('\u200b')}a</p>`)).toBe(true)
})
