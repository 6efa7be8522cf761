import { setImmediate } from 'node:timers/promises'

const maxMs = 10

/**
 * Creates a function with which long-running code yields to the event loop. The code calls it after each
 * small step; it yields only if 10 milliseconds have passed since the last time.
 */
export function createPauses(): () => Promise<void> {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < maxMs) return
    await setImmediate()
    since = performance.now()
  }
}
