import { singleton } from '../singleton'
import { Child } from './child'
import { type StartHooks, startDirectly } from './direct'
import { type Launcher, type LauncherState, startLauncher } from './launcher'
import type { Command } from './messages'

/** Counters and hooks for the processes that this process starts. */
interface Launches {
  launcher?: Launcher
  started: number
  failed: number
  running: number
  /** Told how long each start took, in seconds. */
  onStarted?: (seconds: number) => void
  /** Told why the launcher has ended by itself. */
  onLost?: (reason: string) => void
}

export const launches = (): Launches => singleton('launches', () => ({ started: 0, failed: 0, running: 0 }))

/**
 * Has a shell run a script, with these arguments and no environment but the given one. The launcher starts it where one was
 * started for this process; otherwise this process does so itself.
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

/** Starts the launcher of this process, from the file that it is compiled to. */
export async function useLauncher(program: string): Promise<void> {
  const all = launches()
  all.launcher = await startLauncher({ program, ...hooks, onLost: reason => all.onLost?.(reason) })
}

/** How the launcher is, and how many children this process has now; null where the process starts them itself. */
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
