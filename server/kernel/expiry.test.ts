import { expect, it } from 'vitest'
import { parseExpiry } from './expiry'

const ctx = { clock: { now: () => new Date('2026-11-01T10:00:00Z') } }

it('parseExpiry returns null if no expiry is passed', () => {
  expect(parseExpiry(ctx, 'key', undefined)).toBeNull()
})

it('parseExpiry accepts a time in the future and refuses any other', () => {
  expect(parseExpiry(ctx, 'key', '2026-11-01T12:00:01+02:00')).toEqual(new Date('2026-11-01T10:00:01Z'))
  expect(() => parseExpiry(ctx, 'token', '2026-11-01T12:00:00+02:00')).toThrow(
    'the expiration date of a token must be in the future',
  )
})
