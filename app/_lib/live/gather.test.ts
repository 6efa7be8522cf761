import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { gather } from './gather'

beforeEach(() => {
  vi.useFakeTimers()
})
afterEach(() => {
  vi.useRealTimers()
})

function start() {
  const begin = performance.now()
  const calls: number[] = []
  let isVisible = true
  const gatherer = gather(
    () => isVisible,
    () => calls.push(performance.now() - begin),
  )
  const show = (visible: boolean): void => {
    isVisible = visible
    if (visible) gatherer.shown()
  }
  const changeFor = (ms: number): void => {
    for (let passed = 0; passed < ms; passed += 100) {
      gatherer.changed()
      vi.advanceTimersByTime(100)
    }
  }
  return { gatherer, calls, show, changeFor }
}

describe('gather', () => {
  it('calls immediately for the first change after a pause, and less and less often while changes keep coming', () => {
    const { gatherer, calls, changeFor } = start()
    changeFor(10_000)
    expect(calls).toEqual([0, 400, 1_200, 2_800, 5_800, 8_800])
    vi.advanceTimersByTime(60_000)
    const count = calls.length
    gatherer.changed()
    vi.advanceTimersByTime(0)
    gatherer.changed()
    vi.advanceTimersByTime(400)
    expect(calls.slice(count).map(at => at - calls[count]!)).toEqual([0, 400])
  })

  it('calls once for all changes when a hidden tab is shown', () => {
    const { gatherer, calls, show, changeFor } = start()
    gatherer.changed()
    show(false)
    changeFor(60_000)
    expect(calls).toEqual([])
    show(true)
    vi.advanceTimersByTime(0)
    expect(calls).toEqual([60_000])
    show(false)
    show(true)
    vi.advanceTimersByTime(60_000)
    expect(calls).toHaveLength(1)
  })

  it('calls after a random delay when many tabs learn of a change at the same time', () => {
    const { gatherer, calls } = start()
    gatherer.changed(2_000)
    vi.advanceTimersByTime(2_000)
    expect(calls).toHaveLength(1)
  })

  it('never calls again after it was stopped', () => {
    const { gatherer, calls, show } = start()
    gatherer.changed()
    gatherer.stop()
    show(false)
    show(true)
    vi.advanceTimersByTime(60_000)
    expect(calls).toEqual([])
  })
})
