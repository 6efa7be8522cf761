/** Minimum time between two notifications, in milliseconds: parts of a log can arrive faster than they are drawn. */
export const debounceMs = 250

/** Listeners that are notified once about many changes. */
export interface ThrottledListeners {
  /** Adds a listener and returns a function that removes it. */
  add(listener: () => void): () => void
  count(): number
  /** Notifies the listeners, immediately or once the last notification is long enough ago. */
  changed(): void
  /** Increases with every notification. */
  version(): number
}

export function createThrottledListeners(): ThrottledListeners {
  const listeners = new Set<() => void>()
  let version = 0
  let notifying: ReturnType<typeof setTimeout> | undefined
  let notifiedAt = Number.NEGATIVE_INFINITY

  const notify = (): void => {
    notifying = undefined
    notifiedAt = Date.now()
    version++
    for (const listener of listeners) listener()
  }

  return {
    add(listener) {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    count: () => listeners.size,
    changed() {
      if (notifying) return
      const waitMs = notifiedAt + debounceMs - Date.now()
      if (waitMs <= 0) notify()
      else notifying = setTimeout(notify, waitMs)
    },
    version: () => version,
  }
}
