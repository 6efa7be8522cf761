import { describe, expect, it, vi } from 'vitest'
import { unavailableDatabase } from '@/db/unavailable'
import { createLog } from './log'
import { createWorkLoop } from './work-loop'

const loopWithLog = () => {
  const lines: Record<string, unknown>[] = []
  const log = createLog('debug', { write: line => void lines.push(JSON.parse(line)) })
  return { lines, ...createWorkLoop({ log }) }
}
const hour = 3_600_000

describe('the rounds of a work loop', () => {
  it('run one after another, each after the delay that the previous round returned', async () => {
    const { run } = loopWithLog()
    const stop = new AbortController()
    const waits = [0, 5, 0]
    const round = vi.fn(async () => {
      const wait = waits.shift()
      if (wait === undefined) stop.abort()
      return wait ?? hour
    })
    await run(round, stop.signal)
    expect(round).toHaveBeenCalledTimes(4)
  })

  it('start immediately when the loop is woken, even during a round', async () => {
    const { run, wake } = loopWithLog()
    const stop = new AbortController()
    let rounds = 0
    const running = run(async () => {
      rounds += 1
      if (rounds === 1) wake()
      return hour
    }, stop.signal)
    await expect.poll(() => rounds).toBe(2)
    wake()
    await expect.poll(() => rounds).toBe(3)
    stop.abort()
    await running
    expect(rounds).toBe(3)
  })

  it('continue when the database becomes available again', async () => {
    vi.useFakeTimers()
    const { run, lines } = loopWithLog()
    const stop = new AbortController()
    const away = unavailableDatabase('away', 'away')
    const round = vi.fn(async () => hour)
    round.mockRejectedValueOnce(away)
    const running = run(round, stop.signal)
    await vi.advanceTimersByTimeAsync(1_000)
    expect(round).toHaveBeenCalledTimes(2)
    expect(lines).toMatchObject([{ level: 'warn', msg: 'the database cannot be used; trying again' }])
    stop.abort()
    await running
    vi.useRealTimers()
  })

  it('stop after any failure other than an unavailable database', async () => {
    const { run } = loopWithLog()
    const failing = run(() => Promise.reject(new Error('a fault')), new AbortController().signal)
    await expect(failing).rejects.toThrow('a fault')
  })
})
