import { setImmediate } from 'node:timers/promises'

const maxMs = 10

/** Makes pauses for work in many small parts: call it after each, and it lets others have their turn where it took long. */
export function createPauses(): () => Promise<void> {
  let since = performance.now()
  return async () => {
    if (performance.now() - since < maxMs) return
    await setImmediate()
    since = performance.now()
  }
}
