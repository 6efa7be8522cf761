import { settlesWithin } from './settles-within'

/**
 * Asynchronous work that continues after the HTTP response to the request that started it. It is not
 * persisted: work that is interrupted when the process stops must be requested again.
 */
export interface Background {
  /** Aborted when the process starts to stop. */
  stopping: AbortSignal
  /**
   * Starts work that handles its own failures and stops soon after `stopping` is aborted. Once that is
   * aborted, no more work is started.
   */
  run(work: () => Promise<void>): void
  /**
   * Aborts `stopping` and waits up to `ms` milliseconds for the active work. Returns whether all of it
   * finished.
   */
  stop(ms: number): Promise<boolean>
}

/** Creates the manager of a process's background work, initially with no work running. */
export function createBackground(): Background {
  const stopping = new AbortController()
  const running = new Set<Promise<void>>()
  return {
    stopping: stopping.signal,
    run(work) {
      if (stopping.signal.aborted) return
      const done = work().finally(() => running.delete(done))
      running.add(done)
    },
    async stop(ms) {
      stopping.abort()
      return await settlesWithin(ms, Promise.all(running))
    },
  }
}
