import { describe, expect, it } from 'vitest'
import { foldLines, groupOf } from './fold'

const log = [
  'start',
  '::group::A',
  'a1',
  'a2',
  '::endgroup::',
  'between',
  '##[group]B',
  'b1',
  '::group::C',
  'c1',
]

function shown(
  contents: readonly (string | undefined)[],
  chosen: [number, boolean][] = [],
  isGrowing = false,
): (string | undefined)[] {
  const options = { from: 0, to: contents.length, chosen: new Map(chosen), isGrowing }
  return foldLines(row => contents[row], options).lines.map(({ row }) => contents[row])
}

describe('the groups of a log', () => {
  it('are folded, and end where they are ended or the next one begins', () => {
    expect(shown(log)).toEqual(['start', '::group::A', 'between', '##[group]B', '::group::C'])
  })

  it('open as the reader wants, each by itself', () => {
    const some: [number, boolean][] = [[6, true]]
    expect(shown(log, some)).toEqual(['start', '::group::A', 'between', '##[group]B', 'b1', '::group::C'])
    const { lines } = foldLines(row => log[row], { from: 0, to: 10, chosen: new Map(some), isGrowing: false })
    expect(lines.filter(({ isInGroup }) => isInGroup).map(({ row }) => row)).toEqual([7])
    expect(lines.flatMap(({ group }) => group ?? [])).toEqual([
      { lines: 2, isOpen: false },
      { lines: 1, isOpen: true },
      { lines: 1, isOpen: false },
    ])
  })

  it('are open where they hold an error, or still grow, unless the reader closed them', () => {
    expect(shown(['::group::A', '::error::x', '::endgroup::'])).toHaveLength(2)
    expect(shown(['::group::A', '::error::x'], [[0, false]])).toHaveLength(1)
    expect(shown(log, [], true)).toContain('c1')
    expect(shown(log, [], true)).not.toContain('b1')
  })

  it('are shown as far as the log is there', () => {
    const options = { from: 0, to: 5, chosen: new Map(), isGrowing: false }
    const half = ['a', '::group::B', 'c', undefined, 'e']
    expect(foldLines(row => half[row], options)).toMatchObject({ lines: [{ row: 0 }, { row: 1 }], to: 3 })
  })

  it('are found by any of their rows', () => {
    expect([0, 1, 3, 5, 7, 9].map(row => groupOf(at => log[at], row, 0))).toEqual([
      undefined,
      1,
      1,
      undefined,
      6,
      8,
    ])
  })
})
