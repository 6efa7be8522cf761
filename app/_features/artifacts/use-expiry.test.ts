import { expect, it } from 'vitest'
import { untilExpiry } from './use-expiry'

it.each([
  ['in two minutes', '2026-01-01T00:02:00Z', 121_000],
  ['now, by a clock that may be ahead', '2026-01-01T00:00:00Z', 30_000],
  ['long ago', '2025-01-01T00:00:00Z', 30_000],
  ['in 90 days, which no timer can hold', '2026-04-01T00:00:00Z', 2 ** 31 - 1],
])('whether an artifact has expired is asked just after it does, and never in a hurry: %s', (_, at, wait) => {
  expect(untilExpiry(at, Date.parse('2026-01-01T00:00:00Z'))).toBe(wait)
})
