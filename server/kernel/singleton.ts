/**
 * Returns the one value of this name in the process, making it on first use.
 * Our HTTP server and Next's bundles each load their own copy of our modules, so a module variable is not enough.
 */
export function singleton<T>(name: string, make: () => T): T {
  const key = Symbol.for(`guildhall.${name}`)
  const store = globalThis as unknown as Record<symbol, T | undefined>
  store[key] ??= make()
  return store[key]
}

/** Forgets the value, so that the next use makes a fresh one. */
export function forgetSingleton(name: string): void {
  delete (globalThis as unknown as Record<symbol, unknown>)[Symbol.for(`guildhall.${name}`)]
}
