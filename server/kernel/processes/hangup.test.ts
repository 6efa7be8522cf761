import { EventEmitter } from 'node:events'
import { expect, it, vi } from 'vitest'
import { createHangups } from './hangup'

function open() {
  const source = new EventEmitter()
  const hasTerminal = vi.fn(() => true)
  const hangups = createHangups(source, hasTerminal)
  hangups.hold()
  return { source, hasTerminal, hangups, actions: { onSignal: vi.fn(), onTerminalClosed: vi.fn() } }
}

it('a SIGHUP that arrives during the start waits until it can be handled', () => {
  const { source, hangups, actions } = open()
  source.emit('SIGHUP')
  hangups.handle(actions)
  expect(actions.onSignal).toHaveBeenCalledTimes(1)
  source.emit('SIGHUP')
  expect(actions.onSignal).toHaveBeenCalledTimes(2)
  expect(actions.onTerminalClosed).not.toHaveBeenCalled()
})

it('a terminal that is closed ends the process, also during the start', () => {
  const { source, hasTerminal, hangups, actions } = open()
  const exit = vi.spyOn(process, 'exit').mockReturnValue(undefined as never)
  hasTerminal.mockReturnValue(false)
  source.emit('SIGHUP')
  expect(exit).toHaveBeenCalledWith(129)
  exit.mockRestore()
  hangups.handle(actions)
  source.emit('SIGHUP')
  expect(actions.onTerminalClosed).toHaveBeenCalledTimes(1)
  expect(actions.onSignal).not.toHaveBeenCalled()
})
