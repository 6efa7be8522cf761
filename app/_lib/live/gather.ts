/** Calls back for changes, for many of them together. */
export interface Gatherer {
  /** Something changed, of which a call within so many milliseconds is soon enough. */
  changed(withinMs?: number): void
  /** To be called when the tab is shown. */
  shown(): void
  stop(): void
}

const firstMs = 400
const longestMs = 3_000

/**
 * Calls at once for a change after a time of none, then ever less often while they keep coming, and not at all while the tab
 * is hidden: once it is shown, one call stands for all.
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
