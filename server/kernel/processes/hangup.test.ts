import { EventEmitter } from 'node:events'
import { expect, it, vi } from 'vitest'
import { createHangups } from './hangup'

it('a SIGHUP that arrives during the start waits until it can be handled', () => {
  const source = new EventEmitter()
  const hangups = createHangups(source)
  hangups.hold()
  const actions = { onSignal: vi.fn(), onTerminalClosed: vi.fn() }
  source.emit('SIGHUP')
  hangups.handle(actions)
  expect(actions.onSignal).toHaveBeenCalledTimes(1)
  source.emit('SIGHUP')
  expect(actions.onSignal).toHaveBeenCalledTimes(2)
  expect(actions.onTerminalClosed).not.toHaveBeenCalled()
})
