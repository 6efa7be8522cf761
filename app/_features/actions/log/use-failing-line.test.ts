import { describe, expect, it } from 'vitest'
import { failingRow } from './use-failing-line'

const sections = (...conclusions: string[]) =>
  conclusions.map((conclusion, at) => ({
    conclusion: conclusion as 'success' | 'failure',
    from: 3 * at,
    to: 3 * at + 3,
  }))

describe('failingRow', () => {
  it.each<[string, string[], (string | undefined)[], number | undefined]>([
    ['the last error', ['success', 'failure'], ['', '', '', '::error::a', '##[error]b', 'end'], 4],
    ['the last visible row without an error', ['failure'], ['::group::a', 'b', '::endgroup::'], 1],
    ['a row of the first failed section', ['failure', 'failure'], ['a', 'b', 'c', 'd', 'e', '::error::f'], 2],
    ['nothing until all rows are loaded', ['failure'], ['a', undefined, 'c'], undefined],
    ['nothing without a failed section', ['success'], ['::error::a', 'b', 'c'], undefined],
  ])('finds %s', (_, conclusions, rows, row) => {
    expect(failingRow(sections(...conclusions), row => rows[row])).toBe(row)
  })

  it('ignores a failed section without rows', () => {
    const [empty, full] = sections('failure', 'failure')
    expect(failingRow([{ ...empty!, to: 0 }, full!], String)).toBe(5)
  })
})
