import { settlesWithin } from './settles-within'

/** Work that goes on after the answer to whoever caused it, and ends with the process: what is cut off is asked for anew. */
export interface Background {
  /** Aborted when the process begins to stop. */
  stopping: AbortSignal
  /** Begins work that looks after its own failures, and ends soon after `stopping` is aborted. Begins none from then on. */
  run(work: () => Promise<void>): void
  /** Aborts `stopping` and waits for the work under way, so long at most. Tells whether all of it ended. */
  stop(ms: number): Promise<boolean>
}

/** Creates the background work of one process. */
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
