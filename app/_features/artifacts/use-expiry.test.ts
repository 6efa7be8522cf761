import { expect, it } from 'vitest'
import { untilExpiry } from './use-expiry'

it.each([
  ['expires in two minutes', '2026-01-01T00:02:00Z', 121_000],
  ['expires now by a clock that may be ahead', '2026-01-01T00:00:00Z', 30_000],
  ['expired long ago', '2025-01-01T00:00:00Z', 30_000],
  ['expires in 90 days, beyond the longest timer', '2026-04-01T00:00:00Z', 2 ** 31 - 1],
])(
  'untilExpiry waits until just after the expiry, but at least 30 seconds, for an artifact that %s',
  (_, at, wait) => {
    expect(untilExpiry(at, Date.parse('2026-01-01T00:00:00Z'))).toBe(wait)
  },
)
