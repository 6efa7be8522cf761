import { expect, it } from 'vitest'
import { walksWhole } from './shape'

it.each([
  ['a page of a large part', 100_000, 100_000, 1, true],
  ['a later page of it', 100_000, 100_000, 30, true],
  ['a page of all there is, however little', 40, 40, 1, true],
  ['a page of a small part of much', 20, 1_000_000, 1, false],
  ['a page of a thousandth', 1_000, 1_000_000, 1, false],
  ['a page of a tenth', 100_000, 1_000_000, 1, true],
  ['a deep page of a tenth', 100_000, 1_000_000, 1_000, false],
  ['a page of nothing', 0, 1_000, 1, false],
])('%s: %i of %i, page %i: walks the whole: %s', (_, part, whole, page, walks) => {
  expect(walksWhole({ part, whole }, { page, limit: 30 })).toBe(walks)
})
