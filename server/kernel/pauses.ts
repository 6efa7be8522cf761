import { setImmediate } from 'node:timers/promises'

const maxMs = 10

/**
 * Creates a function that yields to other work. Long-running code calls it after each small step; it pauses
 * only if 10 milliseconds have passed since the last pause.
 */
export function createPauses(): () => Promise<void> {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < maxMs) return
    await setImmediate()
    since = performance.now()
  }
}
