import { expect, it } from 'vitest'
import { shownPages } from './pager'

it.each([
  [1, 1, '1'],
  [1, 2, '1 2'],
  [2, 9, '1 2 3 4 5 6 7 8 9'],
  [1, 10, '1 2 3 4 5 6 7 … 10'],
  [5, 10, '1 2 3 4 5 6 7 … 10'],
  [6, 10, '1 … 4 5 6 7 8 9 10'],
  [10, 20, '1 … 8 9 10 11 12 … 20'],
  [20, 20, '1 … 14 15 16 17 18 19 20'],
])('on page %s of %s, a pager links to %s', (current, count, shown) => {
  expect(
    shownPages(current, count)
      .map(page => (page < 0 ? '…' : page))
      .join(' '),
  ).toBe(shown)
})
