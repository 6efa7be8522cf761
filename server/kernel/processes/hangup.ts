import type { EventEmitter } from 'node:events'
import { isatty } from 'node:tty'

interface Actions {
  onSignal: () => void
  onTerminalClosed: () => void
}

interface Hangups {
  hold: () => void
  handle: (actions: Actions) => void
}

/** Handles the SIGHUPs that `source` emits, of which the last one before `handle` waits for it. */
export function createHangups(source: EventEmitter): Hangups {
  let actions: Actions | undefined
  let isHolding = false
  let isWaiting = false

  function hold(): void {
    if (isHolding) return
    isHolding = true
    const hadTerminal = isatty(0)
    source.on('SIGHUP', () => {
      const isTerminalClosed = hadTerminal && !isatty(0)
      if (actions) (isTerminalClosed ? actions.onTerminalClosed : actions.onSignal)()
      else if (isTerminalClosed) process.exit(129)
      else isWaiting = true
    })
  }

  function handle(next: Actions): void {
    actions = next
    hold()
    if (isWaiting) next.onSignal()
    isWaiting = false
  }
  return { hold, handle }
}

const hangups = createHangups(process)

/** Makes a SIGHUP wait for `onHangup` instead of ending the process. */
export const holdHangups = (): void => hangups.hold()

/**
 * Calls `onSignal` for each SIGHUP that someone sends, also for one that has waited, and `onTerminalClosed` for the one
 * that the system sends after the terminal of this process was closed.
 */
export const onHangup = (onSignal: () => void, onTerminalClosed: () => void): void =>
  hangups.handle({ onSignal, onTerminalClosed })
