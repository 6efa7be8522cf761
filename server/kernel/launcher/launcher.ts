import { createLimiter } from '../concurrency-limit'
import type { Child } from './child'
import { type StartHooks, startDirectly } from './direct'
import type { Command } from './messages'
import { startThrough } from './start-through'
import { supervise } from './supervise'

/**
 * State of the launcher process, which starts all commands for the server, for the Health page and metrics.
 */
export interface LauncherState {
  /** Null while it does not run. */
  pid: number | null
  /** Number of times it had to be started again. */
  restarts: number
}

/**
 * A small process that starts all commands for the server, because `fork` is slow in a process that uses much
 * memory.
 */
export interface Launcher {
  start(child: Child, command: Command): void
  state(): LauncherState
  /** Stops the launcher and everything it has started. */
  stop(): void
}

interface LauncherOptions extends StartHooks {
  /** Path of the module that the launcher runs. */
  program: string
  /** Called when the launcher exits by itself or cannot be started again. */
  onLost?: (reason: string) => void
}

// Each start opens up to three connections, and every system queues a hundred until they are accepted.
const concurrentStarts = 32

// If the launcher exits this often before a command has started, the server starts the command itself.
const maxTries = 2

/**
 * Starts the launcher process, and restarts it whenever it exits. Commands that it has started are then
 * killed. Commands that it has not started yet are started by the next launcher, or by this process if there
 * is none.
 * @throws {Error} if it cannot be started.
 */
export async function startLauncher({ program: file, onLost, ...hooks }: LauncherOptions): Promise<Launcher> {
  const limit = createLimiter({ concurrency: concurrentStarts, maxQueue: Number.POSITIVE_INFINITY })
  const supervisor = await supervise(file, onLost)

  async function start(child: Child, command: Command): Promise<void> {
    for (let tries = 0; tries < maxTries; tries++) {
      if (child.hasEnded) return
      const program = await supervisor.next()
      if (child.hasEnded) return
      if (!program) return startDirectly(child, command, hooks)
      if (!program.isLost && (await startThrough(program, child, command, hooks))) return
      child.isStarting = false
      if (child.pendingSignal) return child.end({ code: null, signal: child.pendingSignal })
    }
    startDirectly(child, command, hooks)
  }

  return {
    start(child, command) {
      limit(() => start(child, command)).catch(error => child.end({ code: null, signal: null, error }))
    },
    state: () => ({ pid: supervisor.running()?.node.pid ?? null, restarts: supervisor.restarts() }),
    stop: supervisor.stop,
  }
}
