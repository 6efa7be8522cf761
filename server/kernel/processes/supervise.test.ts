import { expect, it, vi } from 'vitest'
import type { Member } from './member'
import { pauseAfter, replaceInTurn } from './supervise'

it('a process that keeps failing is started again after up to 30 seconds', () => {
  expect([1, 2, 3, 4, 7, 50].map(pauseAfter)).toEqual([0, 1000, 2000, 4000, 30_000, 30_000])
})

it('no process is replaced after a stop was asked for', async () => {
  const stopping = new AbortController()
  let end = (_: { code: number; signal: null }): void => undefined
  const ended = new Promise<{ code: number; signal: null }>(resolve => (end = resolve))
  const members = Array.from({ length: 4 }, (): Member => {
    return { pid: 1, since: 0, isReady: true, ready: Promise.resolve(true), ended, retire: vi.fn() }
  })
  const [old, other, ...fresh] = members as [Member, Member, ...Member[]]
  const start = vi.fn(() => fresh.shift()!)
  const slots = [old, other].map(member => ({ member, failures: 0 }))
  const replaced = replaceInTurn(slots, start, { info: vi.fn(), error: vi.fn() }, stopping.signal)
  await vi.waitFor(() => expect(old.retire).toHaveBeenCalled())
  stopping.abort()
  end({ code: 0, signal: null })
  await replaced
  expect(start).toHaveBeenCalledTimes(1)
})
