import { describe, expect, it } from 'vitest'
import { findRows, markMatches, patternOf } from './find'

const esc = '\u001b'

describe('the search in a log', () => {
  const rows = [
    'Compiling',
    `${esc}[31mFail${esc}[1med${esc}[0m`,
    '::error::50%25 failed',
    '::warning::ok',
    'a.b',
  ]
  const find = (text: string) => findRows(row => rows[row], rows.length, patternOf(text))

  it('finds what is read, without colors, marks and codes, in any case', () => {
    expect(find('failed')).toEqual([1, 2])
    expect(find('50% FAILED')).toEqual([2])
    expect(find('warning')).toEqual([])
    expect(find('31m')).toEqual([])
  })

  it('takes the text as it is, not as a pattern', () => {
    expect(find('a.b')).toEqual([4])
    expect(find('A*')).toEqual([])
    expect(find('(')).toEqual([])
  })

  it('has no text that takes long', () => {
    const lines = Array.from({ length: 100 }, () => 'a'.repeat(65_536))
    expect(findRows(row => lines[row], lines.length, patternOf(`${'a'.repeat(50)}b`))).toEqual([])
    expect(markMatches([{ text: lines[0] ?? '' }], patternOf('a')).length).toBeLessThan(1100)
  }, 3000)
})

describe('matches in a line', () => {
  it('are marked across differently colored parts', () => {
    const style = { bold: true }
    expect(
      markMatches([{ text: 'xFa' }, { text: 'iled fa', style }, { text: 'iled' }], patternOf('failed')),
    ).toEqual([
      { text: 'x' },
      { text: 'Fa', isMatch: true },
      { text: 'iled', style, isMatch: true },
      { text: ' ', style },
      { text: 'fa', style, isMatch: true },
      { text: 'iled', isMatch: true },
    ])
  })

  it('change nothing where there is none', () => {
    expect(markMatches([{ text: 'abc' }], patternOf('d'))).toEqual([{ text: 'abc' }])
  })
})
