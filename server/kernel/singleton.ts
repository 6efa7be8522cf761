/**
 * Returns the only value with this name in the process, creating it on first use. Our HTTP server and Next's
 * bundles each load their own copy of our modules, so a module variable is not enough.
 */
export function singleton<T>(name: string, make: () => T): T {
  const key = Symbol.for(`guildhall.${name}`)
  const store = globalThis as unknown as Record<symbol, T | undefined>
  store[key] ??= make()
  return store[key]
}

/** Returns the value with this name; undefined if nothing has created it yet. */
export function existingSingleton<T>(name: string): T | undefined {
  return (globalThis as unknown as Record<symbol, T | undefined>)[Symbol.for(`guildhall.${name}`)]
}

/** Removes the value with this name, so that the next use creates a new one. */
export function forgetSingleton(name: string): void {
  delete (globalThis as unknown as Record<symbol, unknown>)[Symbol.for(`guildhall.${name}`)]
}
