import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { rememberCursors, shownMs } from './cursors'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

describe('the places of a tab', () => {
  it('reach back as far as pages show what they fetched, however many are given a second', () => {
    const cursors = rememberCursors({ cursor: 'rendered', at: Date.now() })
    for (let ms = 0; ms < 100_000; ms += 10) {
      cursors.add(String(Date.now()))
      vi.advanceTimersByTime(10)
    }
    const backMs = Date.now() - Number(cursors.before()?.cursor)
    expect([backMs >= shownMs, backMs < shownMs + 2_000]).toEqual([true, true])
    expect(cursors.last()?.cursor).toBe(String(Date.now() - 10))
  })

  it('begin where the tab was rendered, even if it is told something at once', () => {
    const cursors = rememberCursors({ cursor: 'rendered', at: Date.now() })
    cursors.add('p1')
    vi.advanceTimersByTime(5_000)
    cursors.add('p2')
    expect(cursors.before()?.cursor).toBe('rendered')
  })
})
