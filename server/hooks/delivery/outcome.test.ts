import { describe, expect, it } from 'vitest'
import { outcomeOf, reasonNotSent } from './outcome'

const now = new Date('2026-11-22T10:00:00Z')
const answered = (status: number, headers: Record<string, string> = {}) => ({
  answer: { status, headers, body: Buffer.alloc(0), isTruncated: false },
  error: `answered ${status}`,
})
const decided = (tries: number, exchange: Parameters<typeof outcomeOf>[1]) =>
  outcomeOf({ kind: 'event', tries }, exchange, now, 0.5)

describe('outcomeOf', () => {
  it('marks a delivery as delivered after a successful attempt', () => {
    expect(decided(3, { answer: answered(200).answer })).toEqual({ status: 'delivered' })
  })

  it('schedules the next attempt after a failure, and none after the tenth', () => {
    const next = new Date(now.getTime() + 5_000)
    expect(decided(0, { error: 'timed out' })).toEqual({ status: 'pending', next, busyUntil: undefined })
    expect(decided(8, answered(500))).toMatchObject({ status: 'pending' })
    expect(decided(9, answered(500))).toEqual({ status: 'failed' })
  })

  it('disables the webhook after a response of 410', () => {
    expect(decided(0, answered(410))).toEqual({ status: 'failed', disables: 'gone' })
  })

  it('postpones the next attempt to the time in Retry-After, but never makes it earlier', () => {
    const soon = new Date(now.getTime() + 2_000)
    const late = new Date(now.getTime() + 60_000)
    expect(decided(0, answered(429, { 'retry-after': '60' }))).toMatchObject({ next: late, busyUntil: late })
    expect(decided(1, answered(503, { 'retry-after': '2' }))).toMatchObject({
      next: new Date(now.getTime() + 300_000),
      busyUntil: soon,
    })
  })
})

describe('outcomeOf for pings and tests', () => {
  it.each(['ping', 'test'] as const)('never schedules a second attempt for a %s', kind => {
    const decide = (exchange: Parameters<typeof outcomeOf>[1]) =>
      outcomeOf({ kind, tries: 0 }, exchange, now, 0.5)
    expect(decide({ answer: answered(204).answer })).toEqual({ status: 'delivered' })
    expect(decide(answered(410))).toEqual({ status: 'failed', disables: 'gone' })
    for (const exchange of [{ error: 'timed out' }, answered(503, { 'retry-after': '60' })])
      expect(decide(exchange)).toEqual({ status: 'failed' })
  })
})

describe('reasonNotSent for a webhook that is not active', () => {
  const due = { kind: 'event', cause: 'first', is_active: true, disabled_reason: null } as const

  it('returns the reason why deliveries of events are not sent', () => {
    expect(reasonNotSent(due)).toBeUndefined()
    expect(reasonNotSent({ ...due, is_active: false })).toBe('not sent: the webhook is not active')
    const disabled = { ...due, cause: 'retry', disabled_reason: 'gone' } as const
    expect(reasonNotSent(disabled)).toBe(
      'not sent: the webhook was disabled because its receiver responded with 410 Gone',
    )
  })

  it('returns undefined for tests, pings, and requested redeliveries', () => {
    const inactive = { ...due, is_active: false }
    for (const kind of ['test', 'ping'] as const) expect(reasonNotSent({ ...inactive, kind })).toBeUndefined()
    for (const cause of ['manual_retry', 'redelivery', 'replay'] as const)
      expect(reasonNotSent({ ...inactive, cause })).toBeUndefined()
  })
})
