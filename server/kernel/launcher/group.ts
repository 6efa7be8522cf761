import { setTimeout as delay } from 'node:timers/promises'

/** How long a command has to end after a polite signal. */
export const graceMs = 2_000

// For the system to take apart what was killed.
const killedMs = 500
const stepMs = 20

/** Sends a signal to a command and everything it has started; false when none of it is left. */
export function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  // `kill(-1)` signals every process, and `kill(0)` signals our own group.
  if (!(pid > 1)) return false
  try {
    return process.kill(-pid, signal)
  } catch {
    return false
  }
}

/** Ends a command and everything it has started, politely first. */
export async function endGroup(pid: number): Promise<void> {
  for (const [signal, waitMs] of [
    ['SIGTERM', graceMs],
    ['SIGKILL', killedMs],
  ] as const) {
    if (!signalGroup(pid, signal)) return
    for (let waited = 0; waited < waitMs; waited += stepMs) {
      await delay(stepMs)
      if (!signalGroup(pid, 0)) return
    }
  }
}
