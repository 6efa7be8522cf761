import { isatty } from 'node:tty'

interface Actions {
  onSignal: () => void
  onTerminalClosed: () => void
}

let actions: Actions | undefined
let isHolding = false
let isWaiting = false

/** Makes a SIGHUP wait for `onHangup` instead of ending the process. */
export function holdHangups(): void {
  if (isHolding) return
  isHolding = true
  const hadTerminal = isatty(0)
  process.on('SIGHUP', () => {
    const isTerminalClosed = hadTerminal && !isatty(0)
    if (actions) (isTerminalClosed ? actions.onTerminalClosed : actions.onSignal)()
    else if (isTerminalClosed) process.exit(129)
    else isWaiting = true
  })
}

/**
 * Calls `onSignal` for each SIGHUP that someone sends, also for one that has waited, and `onTerminalClosed` for the one
 * that the system sends after the terminal of this process was closed.
 */
export function onHangup(onSignal: () => void, onTerminalClosed: () => void): void {
  actions = { onSignal, onTerminalClosed }
  holdHangups()
  if (isWaiting) onSignal()
  isWaiting = false
}
