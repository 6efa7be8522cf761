import { isatty } from 'node:tty'

/**
 * Calls `onSignal` for each SIGHUP that someone sends, and `onTerminalClosed` for the one that the system sends after
 * the terminal of this process was closed.
 */
export function onHangup(onSignal: () => void, onTerminalClosed: () => void): void {
  const hadTerminal = isatty(0)
  process.on('SIGHUP', () => {
    if (hadTerminal && !isatty(0)) onTerminalClosed()
    else onSignal()
  })
}
