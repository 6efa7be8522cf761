import { describe, expect, it } from 'vitest'
import { parseAnsi, plainLine, type TextStyle } from './ansi'

const esc = '\u001b'
const styleOf = (parameters: string): TextStyle | undefined => parseAnsi(`${esc}[${parameters}mx`)[0]?.style

describe('parseAnsi', () => {
  it.each<[string, TextStyle | undefined]>([
    ['31', { color: { named: 1 } }],
    ['97', { color: { named: 15 } }],
    ['44', { background: { named: 4 } }],
    ['100', { background: { named: 8 } }],
    ['1;4;33', { bold: true, underline: true, color: { named: 3 } }],
    ['38;5;1', { color: { named: 1 } }],
    ['38;5;208', { color: { rgb: [255, 135, 0] } }],
    ['48;5;255', { background: { rgb: [238, 238, 238] } }],
    ['38;2;1;2;3;1', { color: { rgb: [1, 2, 3] }, bold: true }],
    ['38:2:1:2:3', { color: { rgb: [1, 2, 3] } }],
    ['31;0', undefined],
    ['', undefined],
    ['38;5;999', undefined],
    ['38;2;1', undefined],
    ['31;39', undefined],
    ['999', undefined],
  ])('reads the style of the parameters "%s"', (parameters, style) => {
    expect(styleOf(parameters)).toEqual(style)
  })

  it('applies a style until it changes, and preserves the order of the text', () => {
    const line = `a${esc}[32mb${esc}[1mc${esc}[22md${esc}[0me`
    const green = { color: { named: 2 } }
    expect(parseAnsi(line)).toEqual([
      { text: 'a' },
      { text: 'b', style: green },
      { text: 'c', style: { ...green, bold: true } },
      { text: 'd', style: { ...green, bold: false, faint: false } },
      { text: 'e' },
    ])
  })
})

describe('plainLine', () => {
  it.each([
    [`${esc}[2K${esc}[1Gdone`, 'done'],
    [`${esc}]8;;https://example.org${esc}\\link${esc}]8;;\u0007`, 'link'],
    [`${esc}(Bplain`, 'plain'],
    [`${esc}]never ended`, 'never ended'],
    [`cut ${esc}[31`, 'cut '],
    [`cut ${esc}`, 'cut '],
    [`${esc}[?25lhidden`, 'hidden'],
  ])('reads %j as %j', (line, plain) => {
    expect(plainLine(line)).toBe(plain)
  })
})

describe('parsing a malicious line', () => {
  it.each([
    ['unended titles', `${esc}]`.repeat(32_768)],
    ['unended sequences', `${esc}[1;`.repeat(16_384)],
    ['a sequence with very many parameters', `${esc}[${'1;'.repeat(32_000)}m`],
  ])(
    'with %s takes less than a second',
    (_, line) => {
      expect(plainLine(`${line}end`)).toMatch(/end$|^nd$/)
    },
    1000,
  )

  it('returns a limited number of spans without losing text', () => {
    const spans = parseAnsi(`${esc}[31mx`.repeat(10_000))
    expect(spans.length).toBeLessThanOrEqual(2001)
    expect(spans.map(({ text }) => text).join('')).toHaveLength(10_000)
  })
})
