interface ToastOptions {
  /** How long the toast is shown, in milliseconds. */
  duration?: number
  /** Button or link of the toast. */
  action?: { label: string } & ({ onClick: () => void } | { href: string })
}

export interface Toast extends ToastOptions {
  kind: 'success' | 'error'
  message: string
}

const waiting: Toast[] = []
const listeners = new Set<() => void>()
let show: ((toast: Toast) => void) | undefined
let clearShown: (() => void) | undefined

/** Shows the result of an action in the corner of the page. */
export const toast = {
  success: (message: string, options: ToastOptions = {}): void =>
    enqueue({ kind: 'success', message, ...options }),
  error: (message: string, options: ToastOptions = {}): void =>
    enqueue({ kind: 'error', message, ...options }),
  /** Removes pure success messages, which would cover something that was just opened. */
  clearPassing: (): void => {
    waiting.splice(0, waiting.length, ...waiting.filter(next => !isPassing(next)))
    clearShown?.()
  },
}

/** Whether the toast can disappear without harm to people who have not read it. */
export const isPassing = ({ kind, action }: Toast): boolean => kind === 'success' && !action

function enqueue(next: Toast): void {
  if (show) show(next)
  else {
    waiting.push(next)
    for (const listener of listeners) listener()
  }
}

/** Calls back when a toast is queued because nothing can show it yet. Returns a function that stops this. */
export function onToast(listener: () => void): () => void {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

export function hasUnshownToasts(): boolean {
  return waiting.length > 0
}

/**
 * Sets the functions that show toasts and clear passing ones, and shows those that are queued. Returns a
 * function that unsets them.
 */
export function showToasts(showOne: (toast: Toast) => void, clearPassing: () => void): () => void {
  show = showOne
  clearShown = clearPassing
  for (const next of waiting.splice(0)) showOne(next)
  return () => {
    show = undefined
    clearShown = undefined
  }
}
