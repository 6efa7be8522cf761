import { afterAll, expect, it, vi } from 'vitest'
import { holdHangups, onHangup } from './hangup'

const before = process.listeners('SIGHUP')
afterAll(() => {
  for (const listener of process.listeners('SIGHUP'))
    if (!before.includes(listener)) process.off('SIGHUP', listener)
})

it('a SIGHUP that arrives during the start waits until it can be handled', () => {
  holdHangups()
  const [onSignal, onTerminalClosed] = [vi.fn(), vi.fn()]
  process.emit('SIGHUP')
  onHangup(onSignal, onTerminalClosed)
  expect(onSignal).toHaveBeenCalledTimes(1)
  process.emit('SIGHUP')
  expect(onSignal).toHaveBeenCalledTimes(2)
  expect(onTerminalClosed).not.toHaveBeenCalled()
})
