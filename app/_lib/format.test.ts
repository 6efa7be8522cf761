import { expect, it } from 'vitest'
import { counted, doneToSeveral, formatSize } from './format'

it.each([
  [0, '0 KiB'],
  [1, '1 KiB'],
  [1023, '1,023 KiB'],
  [1024, '1 MiB'],
  [1587, '1.5 MiB'],
  [5 * 1024 ** 2, '5 GiB'],
  [3 * 1024 ** 4, '3,072 TiB'],
])('formatSize shows %d KiB as %s', (kib, words) => {
  expect(formatSize(kib)).toBe(words)
})

it('counted uses the singular only for one', () => {
  expect([0, 1, 2000].map(count => counted(count, 'branch', 'branches'))).toEqual([
    '0 branches',
    '1 branch',
    '2,000 branches',
  ])
})

it('doneToSeveral states how many of the selected items were changed', () => {
  const nouns = ['member', 'members'] as const
  expect(doneToSeveral('Removed', { changed: 1, wanted: 1 }, nouns)).toBe('Removed 1 member')
  expect(doneToSeveral('Removed', { changed: 2, wanted: 3 }, nouns, 'from acme')).toBe(
    'Removed 2 of 3 members from acme; the rest had already changed',
  )
})
