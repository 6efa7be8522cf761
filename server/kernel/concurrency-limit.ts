import { tooBusy } from './errors'

/** Runs work within a concurrency limit. */
export type Limiter = <T>(work: () => Promise<T>) => Promise<T>

/**
 * Creates a limiter that runs at most `concurrency` pieces of work at the same time; others wait in order of
 * arrival.
 * @throws {DomainError} tooManyRequests, with a retry after one second, if `maxQueue` pieces of work are
 * already waiting.
 */
export function createLimiter({ concurrency, maxQueue }: { concurrency: number; maxQueue: number }): Limiter {
  let running = 0
  const queue: (() => void)[] = []

  return async work => {
    if (running >= concurrency) {
      if (queue.length >= maxQueue) throw tooBusy()
      // Finished work passes its slot on directly, so that newcomers cannot overtake those who wait.
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

/** Runs work for a key, such as an object's ID, after all work that was started earlier for that key. */
export type Queues = <T>(key: number, work: () => Promise<T>) => Promise<T>

/**
 * Creates queues that run work for the same key one at a time. Work for different keys runs concurrently.
 * @throws {DomainError} tooManyRequests, with a retry after one second, if `maxQueue` pieces of work already
 * wait for the key.
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
