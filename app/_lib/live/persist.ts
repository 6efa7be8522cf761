const firstWaitMs = 1_000
const longestWaitMs = 60_000

/**
 * Repeats the attempt until it succeeds: less and less often, and immediately when the browser is online
 * again.
 */
export async function persist<T>(attempt: () => Promise<T>, failed: () => void): Promise<T> {
  for (let waitMs = firstWaitMs; ; waitMs = Math.min(longestWaitMs, 2 * waitMs)) {
    try {
      return await attempt()
    } catch {
      failed()
    }
    await new Promise<void>(resolve => {
      const timer = setTimeout(goOn, waitMs)
      function goOn(): void {
        clearTimeout(timer)
        globalThis.removeEventListener('online', goOn)
        resolve()
      }
      globalThis.addEventListener('online', goOn)
    })
  }
}
