import { expect, it } from 'vitest'
import { wantedEnd } from './wanted-end'

const ctx = { clock: { now: () => new Date('2026-11-01T10:00:00Z') } }

it('what is given no end never ends', () => {
  expect(wantedEnd(ctx, 'key', undefined)).toBeNull()
})

it('an end must be later than now', () => {
  expect(wantedEnd(ctx, 'key', '2026-11-01T12:00:01+02:00')).toEqual(new Date('2026-11-01T10:00:01Z'))
  expect(() => wantedEnd(ctx, 'token', '2026-11-01T12:00:00+02:00')).toThrow(
    'a token cannot end before it begins; choose a later day',
  )
})
