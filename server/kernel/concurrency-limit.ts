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

/** Runs work of one key, such as the id of what it is about, after all that was begun before for that key. */
export type Queues = <T>(key: number, work: () => Promise<T>) => Promise<T>

/**
 * Makes pieces of work of one key take turns; those of different keys do not wait for each other.
 * @throws {DomainError} tooManyRequests, to be tried again in a second, when `maxQueue` wait for the same key already.
 */
export function createQueues({ maxQueue = Infinity }: { maxQueue?: number } = {}): Queues {
  const lines = new Map<number, { enter: Limiter; length: number }>()
  return async (key, work) => {
    const line = lines.get(key) ?? { enter: createLimiter({ concurrency: 1, maxQueue }), length: 0 }
    lines.set(key, line)
    line.length++
    try {
      return await line.enter(work)
    } finally {
      line.length--
      if (line.length === 0) lines.delete(key)
    }
  }
}
