import { describe, expect, it, vi } from 'vitest'
import { createFolding, groupOf } from './fold'

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
  selected: [number, boolean][] = [],
  isGrowing = false,
): (string | undefined)[] {
  const fold = createFolding(row => contents[row], { from: 0, selected: new Map(selected) })
  return fold(contents.length, isGrowing).lines.map(({ row }) => contents[row])
}

describe('folding a log', () => {
  it('closes groups, each of which extends to its end marker or the start of the next group', () => {
    expect(shown(log)).toEqual(['start', '::group::A', 'between', '##[group]B', '::group::C'])
  })

  it('opens the groups that the reader opened', () => {
    const some: [number, boolean][] = [[6, true]]
    expect(shown(log, some)).toEqual(['start', '::group::A', 'between', '##[group]B', 'b1', '::group::C'])
    const { lines } = createFolding(row => log[row], { from: 0, selected: new Map(some) })(10, false)
    expect(lines.filter(({ isInGroup }) => isInGroup).map(({ row }) => row)).toEqual([7])
    expect(lines.flatMap(({ group }) => group ?? [])).toEqual([
      { lines: 2, isOpen: false },
      { lines: 1, isOpen: true },
      { lines: 1, isOpen: false },
    ])
  })

  it('opens groups that contain an error or are still growing, unless the reader closed them', () => {
    expect(shown(['::group::A', '::error::x', '::endgroup::'])).toHaveLength(2)
    expect(shown(['::group::A', '::error::x'], [[0, false]])).toHaveLength(1)
    expect(shown(log, [], true)).toContain('c1')
    expect(shown(log, [], true)).not.toContain('b1')
  })

  it('shows the lines up to the first row that is not loaded', () => {
    const half = ['a', '::group::B', 'c', undefined, 'e']
    const fold = createFolding(row => half[row], { from: 0, selected: new Map() })
    expect(fold(5, true)).toMatchObject({ lines: [{ row: 0 }, { row: 1 }], to: 3 })
  })

  it('returns the same lines for a log that arrives in parts, and reads each row once', () => {
    const options = { from: 0, selected: new Map([[6, true]]) }
    const read = vi.fn((row: number) => log[row])
    const fold = createFolding(read, options)
    for (let to = 1; to <= log.length; to++) {
      for (const isGrowing of [true, false])
        expect(fold(to, isGrowing)).toEqual(createFolding(row => log[row], options)(to, isGrowing))
    }
    expect(read.mock.calls.length).toBe(log.length)
  })

  it('drops rows that turn out to belong to the next section', () => {
    const fold = createFolding(row => log[row], { from: 0, selected: new Map() })
    fold(log.length, true)
    expect(fold(1, false)).toEqual({ lines: [{ row: 0, kind: 'text', isInGroup: false }], to: 1 })
  })

  it('groupOf finds a group by any of its rows', () => {
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
