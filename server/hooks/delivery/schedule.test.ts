import { describe, expect, it } from 'vitest'
import { maxTries, retryAfter, retryDelayMs } from './schedule'

const hourMs = 3_600_000
const delays = (random: number) =>
  Array.from({ length: maxTries - 1 }, (_, at) => retryDelayMs(at + 1, random) ?? Number.NaN)
const sum = (numbers: number[]) => numbers.reduce((total, each) => total + each, 0)

describe('the retry schedule of a delivery', () => {
  it('has ten attempts over at least three days, regardless of the random delays', () => {
    expect(maxTries).toBe(10)
    expect(retryDelayMs(maxTries, 0.5)).toBeUndefined()
    expect(sum(delays(0))).toBeGreaterThanOrEqual(72 * hourMs)
  })

  it('starts with a delay of a few seconds, and each delay is longer than the last', () => {
    for (const random of [0, 0.5, 1]) {
      expect(delays(random)[0]).toBeLessThanOrEqual(6_000)
      expect(delays(random)).toEqual([...delays(random)].sort((a, b) => a - b))
    }
  })

  it('varies each delay randomly by up to 20% in either direction', () => {
    for (const [at, middle] of delays(0.5).entries()) {
      expect(delays(0)[at]! / middle).toBeCloseTo(0.8)
      expect(delays(1)[at]! / middle).toBeCloseTo(1.2)
    }
  })
})

describe('retryAfter', () => {
  const now = new Date('2026-11-22T10:00:00Z')
  const asked = (header: string | undefined, status = 429) => retryAfter(status, header, now)?.toISOString()

  it('accepts a number of seconds or a date', () => {
    expect(asked('120')).toBe('2026-11-22T10:02:00.000Z')
    expect(asked(' 5 ', 503)).toBe('2026-11-22T10:00:05.000Z')
    expect(asked('Sun, 22 Nov 2026 11:30:00 GMT')).toBe('2026-11-22T11:30:00.000Z')
  })

  it('postpones the next attempt by at most a day', () => {
    expect(asked('999999999')).toBe('2026-11-23T10:00:00.000Z')
    expect(asked('Fri, 01 Jan 2100 00:00:00 GMT')).toBe('2026-11-23T10:00:00.000Z')
  })

  it.each([[undefined], ['0'], ['-5'], ['soon'], ['1e3'], ['Sun, 22 Nov 2026 09:00:00 GMT'], ['']])(
    'ignores the invalid or past Retry-After value "%s"',
    header => expect(asked(header)).toBeUndefined(),
  )

  it('ignores Retry-After in responses other than 429 and 503', () => {
    expect(asked('120', 500)).toBeUndefined()
    expect(asked('120', 301)).toBeUndefined()
  })
})
