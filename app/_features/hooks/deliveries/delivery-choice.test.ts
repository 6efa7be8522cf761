import { expect, it } from 'vitest'
import { deliveryChoice, deliveryInput } from './delivery-choice'

const params = { status: 'failed', event: 'push', since: 'day', cursor: 7 }

it('deliveryChoice reads the filters of deliveries from a query, with a time span that ends now', () => {
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
])('deliveryChoice ignores the invalid query parameter %s=%j', (name, word) => {
  expect(deliveryChoice({ ...params, [name]: word })).toEqual({ ...params, [name]: '' })
})

it('deliveryChoice accepts pings as an event', () => {
  expect(deliveryChoice({ ...params, event: 'ping' }).event).toBe('ping')
})
