import { describe, expect, it, vi } from 'vitest'
import { createLog, type LogRow } from './log'

function makeLog(count: number, rowsAtOnce = 5000) {
  const stored: LogRow[] = []
  const append = (more: number): void => {
    for (let left = more; left > 0; left--) stored.push({ time: '', content: `row ${stored.length}` })
  }
  append(count)
  const fetchPart = vi.fn(async (from: number, limit: number) => ({
    rows: stored.slice(from, from + Math.min(limit, rowsAtOnce)),
    total: stored.length,
    isComplete: false,
  }))
  return { log: createLog(fetchPart), fetchPart, append }
}

describe('a log that is fetched in parts', () => {
  it('fetches what is wanted once, however many parts the server makes of it', async () => {
    const { log, fetchPart } = makeLog(1000, 300)
    log.want(100, 800)
    await vi.waitFor(() => expect(log.loaded()).toBe(700))
    expect(log.rowAt(100)?.content).toBe('row 100')
    expect(log.rowAt(799)?.content).toBe('row 799')
    expect(log.rowAt(800)).toBeUndefined()
    expect(fetchPart).toHaveBeenCalledTimes(3)
    log.want(200, 300)
    expect(fetchPart).toHaveBeenCalledTimes(3)
    log.want(0, 1000)
    await vi.waitFor(() => expect(log.loaded()).toBe(1000))
  })

  it('grows, and says so to those who look at it', async () => {
    const { log, append } = makeLog(2)
    const listener = vi.fn()
    log.subscribe(listener)
    await log.refresh()
    expect(log.total()).toBe(2)
    append(3)
    await log.refresh()
    expect([log.total(), log.rowAt(4)?.content]).toEqual([5, 'row 4'])
    expect(listener).toHaveBeenCalledTimes(2)
  })

  it('says why rows are missing, and tries again', async () => {
    vi.useFakeTimers()
    const { log, fetchPart } = makeLog(10)
    fetchPart.mockRejectedValueOnce(new Error('away'))
    log.want(0, 10)
    await vi.waitFor(() => expect(log.failure()).toEqual(new Error('away')))
    await vi.advanceTimersByTimeAsync(3000)
    expect([log.loaded(), log.failure()]).toEqual([10, undefined])
    vi.useRealTimers()
  })

  it('does not ask again and again for rows that are not there', async () => {
    const { log, fetchPart } = makeLog(10)
    log.want(0, 50)
    await vi.waitFor(() => expect(log.loaded()).toBe(10))
    await new Promise(resolve => setTimeout(resolve, 20))
    expect(fetchPart).toHaveBeenCalledTimes(2)
  })
})
