import { tooBusy } from './errors'

/** Runs work under a limit. */
export type Limiter = <T>(work: () => Promise<T>) => Promise<T>

/**
 * Runs at most `concurrency` pieces of work at once; the others wait in the order they came.
 * @throws {DomainError} tooManyRequests, to be tried again in a second, when `maxQueue` are waiting already.
 */
export function createLimiter({ concurrency, maxQueue }: { concurrency: number; maxQueue: number }): Limiter {
  let running = 0
  const queue: (() => void)[] = []

  return async work => {
    if (running >= concurrency) {
      if (queue.length >= maxQueue) throw tooBusy()
      // Whoever is done hands the slot over, so that it is never free for somebody who did not wait.
      await new Promise<void>(resolve => queue.push(resolve))
    } else {
      running++
    }
    try {
      return await work()
    } finally {
      const next = queue.shift()
      if (next) next()
      else running--
    }
  }
}
