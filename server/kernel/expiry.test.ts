import { expect, it } from 'vitest'
import { parseExpiry } from './expiry'

const ctx = { clock: { now: () => new Date('2026-11-01T10:00:00Z') } }

it('what is given no end never ends', () => {
  expect(parseExpiry(ctx, 'key', undefined)).toBeNull()
})

it('an end must be later than now', () => {
  expect(parseExpiry(ctx, 'key', '2026-11-01T12:00:01+02:00')).toEqual(new Date('2026-11-01T10:00:01Z'))
  expect(() => parseExpiry(ctx, 'token', '2026-11-01T12:00:00+02:00')).toThrow(
    'a token cannot end before it begins; choose a later day',
  )
})
