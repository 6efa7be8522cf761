import { Server } from 'node:http'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { freeAtRest } from './free-at-rest'

const mib = 1024 * 1024

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

it('memory is freed once after the start and after each load, and not while requests arrive or if it has hardly grown', () => {
  const server = new Server()
  let used = 100 * mib
  let freed = 0
  let cleared = 0
  const free = () => {
    freed += 1
    expect(cleared).toBe(freed)
    used = 80 * mib
  }
  const clear = () => {
    cleared += 1
  }
  freeAtRest(server, clear, { bytes: () => used, free })
  const pass = (seconds: number, requestsPerSecond: number) => {
    for (let second = 0; second < seconds; second++) {
      for (let index = 0; index < requestsPerSecond; index++) server.emit('request')
      vi.advanceTimersByTime(1_000)
    }
  }

  pass(60, 0)
  expect(freed).toBe(1)
  used = 300 * mib
  pass(60, 5)
  expect(freed).toBe(1)
  pass(60, 1)
  expect(freed).toBe(2)
  used = 100 * mib
  pass(60, 0)
  expect(freed).toBe(2)
})
