import { TRPCClientError } from '@trpc/client'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { createLog, type LogRow, retryMs } from './log'
import { debounceMs } from './throttled-listeners'

function makeLog(count: number, rowsPerPage = 5000, limits?: { mostRows: number }) {
  const stored: LogRow[] = []
  const append = (more: number): void => {
    for (let left = more; left > 0; left--) stored.push({ time: '', content: `row ${stored.length}` })
  }
  append(count)
  const fetchPart = vi.fn(async (from: number, limit: number) => ({
    rows: stored.slice(from, from + Math.min(limit, rowsPerPage)),
    total: stored.length,
    isComplete: false,
  }))
  return { log: createLog(fetchPart, limits), fetchPart, append }
}

describe('createLog', () => {
  it('fetches wanted rows once, however many parts the server returns', async () => {
    const { log, fetchPart } = makeLog(1000, 300)
    log.subscribe(() => undefined)
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

  it('notifies listeners when it grows', async () => {
    const { log, append } = makeLog(2)
    const listener = vi.fn()
    log.subscribe(listener)
    await log.refresh()
    expect(log.total()).toBe(2)
    append(3)
    await log.refresh()
    expect([log.total(), log.rowAt(4)?.content]).toEqual([5, 'row 4'])
    await vi.waitFor(() => expect(listener).toHaveBeenCalledTimes(2))
  })

  it('combines the notifications about many parts', async () => {
    const { log } = makeLog(5000, 100)
    const listener = vi.fn()
    log.subscribe(listener)
    const start = Date.now()
    log.want(0, 5000)
    await vi.waitFor(() => expect(log.loaded()).toBe(5000))
    expect(listener.mock.calls.length).toBeLessThanOrEqual(1 + (Date.now() - start) / debounceMs)
    await vi.waitFor(() => expect(listener.mock.calls.length).toBeGreaterThan(1))
  })

  it('keeps a limited number of rows', async () => {
    const { log, fetchPart, append } = makeLog(90, 30, { mostRows: 100 })
    log.subscribe(() => undefined)
    log.want(0, 90)
    await vi.waitFor(() => expect(log.loaded()).toBe(90))
    expect(log.isCut()).toBe(false)
    append(30)
    await log.refresh()
    await log.refresh()
    log.want(0, 120)
    expect([log.loaded(), log.total(), log.isCut(), log.rowAt(100)]).toEqual([100, 100, true, undefined])
    expect(fetchPart).toHaveBeenLastCalledWith(120, 1)
  })

  it('does not know the number of rows until a call succeeds', async () => {
    const { log, fetchPart } = makeLog(10)
    fetchPart.mockRejectedValueOnce(new Error('away'))
    await log.refresh()
    expect([log.total(), log.failure()]).toEqual([undefined, new Error('away')])
    await log.refresh()
    expect([log.total(), log.failure()]).toEqual([10, undefined])
  })

  describe('after a failed call', () => {
    beforeEach(() => void vi.useFakeTimers())
    afterEach(() => void vi.useRealTimers())

    it('reports the failure and tries again', async () => {
      const { log, fetchPart } = makeLog(10)
      log.subscribe(() => undefined)
      fetchPart.mockRejectedValueOnce(new Error('away'))
      log.want(0, 10)
      await vi.waitFor(() => expect(log.failure()).toEqual(new Error('away')))
      await vi.advanceTimersByTimeAsync(retryMs)
      expect([log.loaded(), log.failure()]).toEqual([10, undefined])
    })

    it('does not try again if the job was deleted', async () => {
      const { log, fetchPart } = makeLog(10)
      log.subscribe(() => undefined)
      const data = { kind: 'notFound' } as never
      fetchPart.mockRejectedValueOnce(
        TRPCClientError.from({ error: { message: 'gone', code: -32004, data } }),
      )
      log.want(0, 10)
      await vi.advanceTimersByTimeAsync(10 * retryMs)
      expect(fetchPart).toHaveBeenCalledTimes(1)
    })

    it('does not try again without listeners', async () => {
      const { log, fetchPart } = makeLog(10)
      const leave = log.subscribe(() => undefined)
      fetchPart.mockRejectedValue(new Error('away'))
      log.want(0, 10)
      await vi.advanceTimersByTimeAsync(retryMs / 2)
      leave()
      await vi.advanceTimersByTimeAsync(10 * retryMs)
      expect(fetchPart).toHaveBeenCalledTimes(1)
    })
  })

  it('does not repeatedly request rows that do not exist', async () => {
    const { log, fetchPart } = makeLog(10)
    log.subscribe(() => undefined)
    log.want(0, 50)
    await vi.waitFor(() => expect(log.loaded()).toBe(10))
    await new Promise(resolve => setTimeout(resolve, 20))
    expect(fetchPart).toHaveBeenCalledTimes(2)
  })
})
