import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { rememberCursors, shownMs } from './cursors'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

describe('rememberCursors', () => {
  it('keeps cursors for as long as pages show fetched data, however many arrive per second', () => {
    const cursors = rememberCursors({ cursor: 'rendered', at: Date.now() })
    for (let ms = 0; ms < 100_000; ms += 10) {
      cursors.add(String(Date.now()))
      vi.advanceTimersByTime(10)
    }
    const backMs = Date.now() - Number(cursors.before()?.cursor)
    expect([backMs >= shownMs, backMs < shownMs + 2_000]).toEqual([true, true])
    expect(cursors.last()?.cursor).toBe(String(Date.now() - 10))
  })

  it('starts at the cursor of the rendered page, even if a message arrives immediately', () => {
    const cursors = rememberCursors({ cursor: 'rendered', at: Date.now() })
    cursors.add('p1')
    vi.advanceTimersByTime(5_000)
    cursors.add('p2')
    expect(cursors.before()?.cursor).toBe('rendered')
  })
})
