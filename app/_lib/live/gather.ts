/** Combines many changes into few calls. */
export interface Gatherer {
  /** Reports a change. The resulting call is delayed by a random time of up to `withinMs` milliseconds. */
  changed(withinMs?: number): void
  /** Must be called when the tab is shown. */
  shown(): void
  stop(): void
}

const firstMs = 400
const longestMs = 3_000

/**
 * Calls immediately for the first change after a pause, and less and less often while changes keep coming.
 * While the tab is hidden, it does not call at all. If anything changed meanwhile, it calls once when the tab
 * is shown again.
 */
export function gather(isVisible: () => boolean, call: () => void): Gatherer {
  let timer: ReturnType<typeof setTimeout> | undefined
  let calledAt = Number.NEGATIVE_INFINITY
  let waitMs = firstMs
  let isDue = false

  function callNow(): void {
    timer = undefined
    isDue = !isVisible()
    if (isDue) return
    calledAt = performance.now()
    call()
  }

  function changed(withinMs = 0): void {
    const sinceMs = performance.now() - calledAt
    if (!isVisible()) isDue = true
    if (isDue || timer !== undefined) return
    const isBurst = sinceMs < waitMs
    const leftMs = isBurst ? waitMs - sinceMs : 0
    waitMs = isBurst ? Math.min(longestMs, 2 * waitMs) : firstMs
    timer = setTimeout(callNow, Math.max(leftMs, Math.random() * withinMs))
  }

  return {
    changed,
    shown() {
      if (!isDue) return
      isDue = false
      changed()
    },
    stop: () => clearTimeout(timer),
  }
}
