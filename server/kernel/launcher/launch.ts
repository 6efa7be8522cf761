import { singleton } from '../singleton'
import { Child } from './child'
import { type StartHooks, startDirectly } from './direct'
import { type Launcher, type LauncherState, startLauncher } from './launcher'
import type { Command } from './messages'

/** Counters and callbacks for the processes that this process starts. */
interface Launches {
  launcher?: Launcher
  started: number
  failed: number
  running: number
  /** Called with the duration of each start in seconds. */
  onStarted?: (seconds: number) => void
  /** Called with the reason when the launcher has exited on its own. */
  onLost?: (reason: string) => void
}

export const launches = (): Launches => singleton('launches', () => ({ started: 0, failed: 0, running: 0 }))

/**
 * Runs a shell script with the given arguments and only the given environment. It is started by the launcher
 * process if there is one, and otherwise by this process.
 */
export function launch(command: Command): Child {
  const all = launches()
  const child = new Child(command)
  all.running++
  child.once('close', () => all.running--)
  if (all.launcher) {
    all.launcher.start(child, command)
    return child
  }
  startDirectly(child, command, hooks)
  return child
}

/**
 * Starts the launcher process from its compiled file; from then on, it starts all commands for this process.
 */
export async function useLauncher(program: string): Promise<void> {
  const all = launches()
  all.launcher = await startLauncher({ program, ...hooks, onLost: reason => all.onLost?.(reason) })
}

/**
 * Returns the state of the launcher process and the number of running child processes; null if there is no
 * launcher, so that this process starts its child processes itself.
 */
export function launcherState(): (LauncherState & { children: number }) | null {
  const { launcher, running } = launches()
  return launcher ? { ...launcher.state(), children: running } : null
}

const hooks: StartHooks = {
  onStarted(seconds) {
    const all = launches()
    all.started++
    all.onStarted?.(seconds)
  },
  onFailed: () => void launches().failed++,
}
