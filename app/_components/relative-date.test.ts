import { expect, it } from 'vitest'
import { relativeText } from './relative-date'

const now = Date.parse('2026-11-21T10:00:30Z')
const hour = 3_600_000

it.each([
  [7 * 24 * hour - 60_000, 'in 7 days'],
  [6.6 * 24 * hour, 'in 7 days'],
  [6.4 * 24 * hour, 'in 6 days'],
  [24 * hour - 60_000, 'tomorrow'],
  [2 * hour - 60_000, 'in 2 hours'],
  [40_000, 'in 1 minute'],
  [20_000, 'within a minute'],
])('relativeText rounds a time %i ms in the future to the nearest unit: %s', (ahead, words) => {
  expect(relativeText(new Date(now + ahead), now, true)).toBe(words)
})

it.each([
  [2 * 24 * hour - 60_000, 'yesterday'],
  [2 * hour - 60_000, '1 hour ago'],
  [10_000, 'just now'],
  [40_000, 'just now'],
  [90_000, '1 minute ago'],
])('relativeText rounds a time %i ms in the past down to whole units: %s', (since, words) => {
  expect(relativeText(new Date(now - since), now)).toBe(words)
})
