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

/**
 * Handles the SIGHUPs that `source` emits; one before `handle` waits for it.
 * @param hasTerminal Returns whether the input of this process is a terminal that is open.
 */
export function createHangups(source: EventEmitter, hasTerminal: () => boolean): Hangups {
  let actions: Actions | undefined
  let isHolding = false
  let isWaiting = false

  function hold(): void {
    if (isHolding) return
    isHolding = true
    const hadTerminal = hasTerminal()
    source.on('SIGHUP', () => {
      const isTerminalClosed = hadTerminal && !hasTerminal()
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

const hangups = createHangups(process, () => isatty(0))

/** Makes a SIGHUP wait for `onHangup` instead of ending the process. */
export const holdHangups = (): void => hangups.hold()

/**
 * Calls `onSignal` for each SIGHUP that someone sends, also for one that has waited, and `onTerminalClosed` for the one
 * that the system sends after the terminal of this process was closed.
 */
export const onHangup = (onSignal: () => void, onTerminalClosed: () => void): void =>
  hangups.handle({ onSignal, onTerminalClosed })
