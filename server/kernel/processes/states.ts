import { launcherState } from '../launcher/launch'
import type { ProcessState } from './messages'
import { supervisorOf } from './supervised'

/** State of the server processes of this machine. */
interface ProcessStates {
  running: ProcessState[]
  /** Number of processes that should run. */
  wanted: number
  /** Number of times a process ended unexpectedly and another one was started. */
  restarts: number
}

/** Returns the state of this process. */
export const ownState = (): ProcessState => ({
  pid: process.pid,
  started: Date.now() - process.uptime() * 1000,
  memoryBytes: process.memoryUsage.rss(),
  launcher: launcherState(),
})

/** Returns the state of all server processes that the supervisor runs, or of the only one. */
export async function processStates(): Promise<ProcessStates> {
  const supervisor = supervisorOf()
  if (!supervisor) return { running: [ownState()], wanted: 1, restarts: 0 }
  const { reports, wanted, restarts } = await supervisor.collect()
  const running = reports.map(({ metrics: _, ...state }) => state)
  return { running: running.sort((a, b) => a.started - b.started), wanted, restarts }
}
