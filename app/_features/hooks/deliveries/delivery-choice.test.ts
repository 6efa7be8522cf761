import { expect, it } from 'vitest'
import { deliveryChoice, deliveryInput } from './delivery-choice'

const params = { status: 'failed', event: 'push', since: 'day', cursor: 7 }

it('an address says which deliveries are meant, of which time from now', () => {
  const input = deliveryInput(deliveryChoice(params))
  expect(input).toMatchObject({ status: 'failed', event: 'push', cursor: 7 })
  expect(Date.now() - Date.parse(input.since ?? '')).toBeCloseTo(24 * 60 * 60 * 1000, -4)
})

it.each([
  ['status', 'constructor'],
  ['event', 'toString'],
  ['event', '\0'],
  ['event', 'x'.repeat(51)],
  ['since', 'toString'],
  ['since', '2026-11-22T10:00:00Z'],
])('of an address, %s=%j means nothing and chooses nothing', (name, word) => {
  expect(deliveryChoice({ ...params, [name]: word })).toEqual({ ...params, [name]: '' })
})

it('pings can be chosen among the events', () => {
  expect(deliveryChoice({ ...params, event: 'ping' }).event).toBe('ping')
})
