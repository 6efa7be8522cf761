import { expect, it } from 'vitest'
import type { ShownLine } from './fold'
import { type Move, rowTo } from './use-line-keys'

// Rows 3 to 5 are in a closed group.
const lines = [0, 1, 2, 6, 7].map((row): ShownLine => ({ row, kind: 'text', isInGroup: false }))

it.each<[number, Move, number]>([
  [0, 'next', 1],
  [2, 'next', 6],
  [7, 'next', 7],
  [6, 'previous', 2],
  [0, 'previous', 0],
  [2, 'first', 0],
  [2, 'last', 7],
])('rowTo moves from row %d to the %s visible line, row %d', (row, to, other) => {
  expect(rowTo(lines, row, to)).toBe(other)
})
