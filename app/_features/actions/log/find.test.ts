import { describe, expect, it } from 'vitest'
import { createLogSearch, markMatches, patternOf } from './find'

const esc = '\u001b'

describe('createLogSearch', () => {
  const rows = [
    'Compiling',
    `${esc}[31mFail${esc}[1med${esc}[0m`,
    '::error::50%25 failed',
    '::warning::ok',
    'a.b',
  ]
  const find = (text: string) => createLogSearch(row => rows[row], patternOf(text))(rows.length)

  it('searches the visible text without colors, commands, and escape codes, ignoring case', () => {
    expect(find('failed')).toEqual([1, 2])
    expect(find('50% FAILED')).toEqual([2])
    expect(find('warning')).toEqual([])
    expect(find('31m')).toEqual([])
  })

  it('searches for the text literally, not as a pattern', () => {
    expect(find('a.b')).toEqual([4])
    expect(find('A*')).toEqual([])
    expect(find('(')).toEqual([])
  })

  it('escapes special characters, so that no search text causes backtracking', () => {
    const lines = Array.from({ length: 100 }, () => 'a'.repeat(65_536))
    expect(createLogSearch(row => lines[row], patternOf(`${'a'.repeat(50)}b`))(lines.length)).toEqual([])
    expect(markMatches([{ text: lines[0] ?? '' }], patternOf('a')).length).toBeLessThan(1100)
  }, 3000)

  it('reads each row at most once on average, however many parts the log arrives in and in any order', () => {
    const total = 20_000
    const present = new Set<number>()
    let read = 0
    const find = createLogSearch(row => {
      if (!present.has(row)) return undefined
      read++
      return row % 100 === 7 ? 'needle' : 'hay'
    }, patternOf('needle'))
    for (const part of [19, 3, ...Array.from({ length: 20 }, (_, at) => at)]) {
      for (let row = part * 1000; row < (part + 1) * 1000; row++) present.add(row)
      find(total)
    }
    expect(find(total)).toEqual(Array.from({ length: 200 }, (_, at) => at * 100 + 7))
    expect(read).toBeLessThanOrEqual(total)
  })

  it('searches rows that were missing before', () => {
    const growing = ['needle']
    const find = createLogSearch(row => growing[row], patternOf('needle'))
    expect(find(1)).toEqual([0])
    growing.push('hay', 'needle')
    expect(find(3)).toEqual([0, 2])
  })
})

describe('markMatches', () => {
  it('marks matches that span differently styled parts', () => {
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

  it('changes nothing without a match', () => {
    expect(markMatches([{ text: 'abc' }], patternOf('d'))).toEqual([{ text: 'abc' }])
  })
})
