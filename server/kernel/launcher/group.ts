import { setTimeout as delay } from 'node:timers/promises'

/** Time in milliseconds that a command has to exit after SIGTERM. */
export const graceMs = 2_000

// Time that the system needs to clean up killed processes.
const killedMs = 500
const stepMs = 20

/**
 * Sends a signal to a process group: a command and its child processes. Returns false if the group no longer
 * exists.
 */
export function signalGroup(pid: number, signal: NodeJS.Signals | 0): boolean {
  // `kill(-1)` signals every process, and `kill(0)` signals our own group.
  if (!(pid > 1)) return false
  try {
    return process.kill(-pid, signal)
  } catch {
    return false
  }
}

/** Stops a process group, that is, a command and its child processes, with SIGTERM and then SIGKILL. */
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
