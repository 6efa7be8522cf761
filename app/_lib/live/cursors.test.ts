import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { rememberPlaces, shownMs } from './cursors'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

describe('the places of a tab', () => {
  it('reach back as far as pages show what they fetched, however many are given a second', () => {
    const places = rememberPlaces({ place: 'rendered', at: Date.now() })
    for (let ms = 0; ms < 100_000; ms += 10) {
      places.add(String(Date.now()))
      vi.advanceTimersByTime(10)
    }
    const backMs = Date.now() - Number(places.before()?.place)
    expect([backMs >= shownMs, backMs < shownMs + 2_000]).toEqual([true, true])
    expect(places.last()?.place).toBe(String(Date.now() - 10))
  })

  it('begin where the tab was rendered, even if it is told something at once', () => {
    const places = rememberPlaces({ place: 'rendered', at: Date.now() })
    places.add('p1')
    vi.advanceTimersByTime(5_000)
    places.add('p2')
    expect(places.before()?.place).toBe('rendered')
  })
})
