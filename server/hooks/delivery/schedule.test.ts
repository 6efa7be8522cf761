import { describe, expect, it } from 'vitest'
import { maxTries, retryAfter, retryDelayMs } from './schedule'

const hourMs = 3_600_000
const delays = (random: number) =>
  Array.from({ length: maxTries - 1 }, (_, at) => retryDelayMs(at + 1, random) ?? Number.NaN)
const sum = (numbers: number[]) => numbers.reduce((total, each) => total + each, 0)

describe('the attempts of a delivery', () => {
  it('are ten, over three days at least, however the waits come out', () => {
    expect(maxTries).toBe(10)
    expect(retryDelayMs(maxTries, 0.5)).toBeUndefined()
    expect(sum(delays(0))).toBeGreaterThanOrEqual(72 * hourMs)
  })

  it('begin a few seconds apart, and each wait is longer than the one before', () => {
    for (const random of [0, 0.5, 1]) {
      expect(delays(random)[0]).toBeLessThanOrEqual(6_000)
      expect(delays(random)).toEqual([...delays(random)].sort((a, b) => a - b))
    }
  })

  it('are spread by a fifth to either side', () => {
    for (const [at, middle] of delays(0.5).entries()) {
      expect(delays(0)[at]! / middle).toBeCloseTo(0.8)
      expect(delays(1)[at]! / middle).toBeCloseTo(1.2)
    }
  })
})

describe('a receiver that is busy', () => {
  const now = new Date('2026-11-22T10:00:00Z')
  const asked = (header: string | undefined, status = 429) => retryAfter(status, header, now)?.toISOString()

  it('says in seconds or with a date when to come again', () => {
    expect(asked('120')).toBe('2026-11-22T10:02:00.000Z')
    expect(asked(' 5 ', 503)).toBe('2026-11-22T10:00:05.000Z')
    expect(asked('Sun, 22 Nov 2026 11:30:00 GMT')).toBe('2026-11-22T11:30:00.000Z')
  })

  it('puts off the next attempt by a day at most', () => {
    expect(asked('999999999')).toBe('2026-11-23T10:00:00.000Z')
    expect(asked('Fri, 01 Jan 2100 00:00:00 GMT')).toBe('2026-11-23T10:00:00.000Z')
  })

  it.each([[undefined], ['0'], ['-5'], ['soon'], ['1e3'], ['Sun, 22 Nov 2026 09:00:00 GMT'], ['']])(
    'is tried at the usual time after Retry-After: %s',
    header => expect(asked(header)).toBeUndefined(),
  )

  it('is believed for 429 and 503 alone', () => {
    expect(asked('120', 500)).toBeUndefined()
    expect(asked('120', 301)).toBeUndefined()
  })
})
