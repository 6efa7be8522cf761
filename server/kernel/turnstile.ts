import { tooBusy } from './errors'

/** Runs work in line. */
export type Turnstile = <T>(work: () => Promise<T>) => Promise<T>

/**
 * Lets `atOnce` pieces of work run together and the rest wait their turn.
 * Throws tooManyRequests, to be tried again in a second, when `waiting` others stand in line already.
 */
export function createTurnstile({ atOnce, waiting }: { atOnce: number; waiting: number }): Turnstile {
  let running = 0
  const line: (() => void)[] = []

  return async work => {
    if (running >= atOnce) {
      if (line.length >= waiting) throw tooBusy()
      // Whoever leaves hands the place over, so it is never free for somebody who did not wait.
      await new Promise<void>(resolve => line.push(resolve))
    } else {
      running++
    }
    try {
      return await work()
    } finally {
      const next = line.shift()
      if (next) next()
      else running--
    }
  }
}
