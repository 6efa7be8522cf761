interface ToastOptions {
  /** Milliseconds it stays. */
  duration?: number
  /** What can be done about it, or the page that shows it. */
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

/** Tells the result of an action in the corner of the page, wherever on the page it was asked for. */
export const toast = {
  success: (message: string, options: ToastOptions = {}): void =>
    enqueue({ kind: 'success', message, ...options }),
  error: (message: string, options: ToastOptions = {}): void =>
    enqueue({ kind: 'error', message, ...options }),
  /** Takes away what only says that something was done, which would lie over something that was just opened. */
  clearPassing: (): void => {
    waiting.splice(0, waiting.length, ...waiting.filter(next => !isPassing(next)))
    clearShown?.()
  },
}

/** Whether nothing is lost to somebody who has not read it. */
export const isPassing = ({ kind, action }: Toast): boolean => kind === 'success' && !action

function enqueue(next: Toast): void {
  if (show) show(next)
  else {
    waiting.push(next)
    for (const listener of listeners) listener()
  }
}

/** Calls back when something is told that nothing can show yet; gives what ends that. */
export function onToast(listener: () => void): () => void {
  listeners.add(listener)
  return () => {
    listeners.delete(listener)
  }
}

export function hasUnshownToasts(): boolean {
  return waiting.length > 0
}

/** Shows, and clears what is passing, with these from now on, beginning with what waits; gives what ends that. */
export function showToasts(showOne: (toast: Toast) => void, clearPassing: () => void): () => void {
  show = showOne
  clearShown = clearPassing
  for (const next of waiting.splice(0)) showOne(next)
  return () => {
    show = undefined
    clearShown = undefined
  }
}
