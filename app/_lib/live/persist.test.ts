import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { persist } from './persist'

const browser = new EventTarget()
beforeEach(() => {
  vi.useFakeTimers()
  vi.stubGlobal('addEventListener', browser.addEventListener.bind(browser))
  vi.stubGlobal('removeEventListener', browser.removeEventListener.bind(browser))
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

describe('persist', () => {
  it('waits longer after each failure, at most a minute, and reports each failure', async () => {
    const begin = Date.now()
    const times: number[] = []
    const failed = vi.fn()
    const done = persist(async () => {
      times.push((Date.now() - begin) / 1_000)
      if (times.length < 9) throw new Error('no network')
      return 'loaded'
    }, failed)
    await vi.advanceTimersByTimeAsync(300_000)
    expect(times).toEqual([0, 1, 3, 7, 15, 31, 63, 123, 183])
    expect([await done, failed.mock.calls.length]).toEqual(['loaded', 8])
  })

  it('retries immediately when the browser is online again', async () => {
    const attempt = vi.fn().mockRejectedValueOnce(new Error('no network')).mockResolvedValue('loaded')
    const done = persist(attempt, () => undefined)
    await vi.advanceTimersByTimeAsync(0)
    browser.dispatchEvent(new Event('online'))
    await vi.advanceTimersByTimeAsync(0)
    expect([attempt.mock.calls.length, await done]).toEqual([2, 'loaded'])
    browser.dispatchEvent(new Event('online'))
    await vi.advanceTimersByTimeAsync(60_000)
    expect(attempt).toHaveBeenCalledTimes(2)
  })
})
