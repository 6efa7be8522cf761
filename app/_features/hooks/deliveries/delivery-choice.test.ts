import { expect, it } from 'vitest'
import { deliveryChoice, deliveryInput } from './delivery-choice'

const words = { status: 'failed', event: 'push', since: 'day', cursor: 7 }

it('an address says which deliveries are meant, of which time from now', () => {
  const input = deliveryInput(deliveryChoice(words))
  expect(input).toMatchObject({ status: 'failed', event: 'push', cursor: 7 })
  expect(Date.now() - Date.parse(input.since ?? '')).toBeCloseTo(24 * 60 * 60 * 1000, -4)
})

it('words of an address that mean nothing choose nothing', () => {
  const none = { status: 'constructor', event: '', since: 'toString', cursor: undefined }
  expect(deliveryInput(deliveryChoice(none))).toEqual({
    status: undefined,
    event: undefined,
    since: undefined,
    cursor: undefined,
  })
})
