/** Values by key, bounded by their total size. The ones that were used least recently are removed first. */
export interface BoundedCache<Value> {
  get(key: string): Value | undefined
  /** Keeps a value, unless it is larger than the whole cache. */
  set(key: string, value: Value, size: number): void
  /** Removes all values whose keys begin with this text. */
  removeBelow(prefix: string): void
  /** Removes the values that are too old, which `get` no longer returns, to free their memory. */
  removeOld(): void
}

interface Limits {
  /** Limit of the sum of the sizes, in the unit of `set`. */
  maxSize: number
  /** How long a value is kept, in milliseconds. */
  maxAgeMs: number
}

/** Creates an empty cache in memory. */
export function createBoundedCache<Value>({ maxSize, maxAgeMs }: Limits): BoundedCache<Value> {
  const entries = new Map<string, { value: Value; size: number; since: number }>()
  let total = 0

  function remove(key: string): void {
    total -= entries.get(key)?.size ?? 0
    entries.delete(key)
  }

  return {
    get(key) {
      const entry = entries.get(key)
      if (!entry) return undefined
      remove(key)
      if (performance.now() - entry.since > maxAgeMs) return undefined
      // The last one in the map is the one that was used last.
      entries.set(key, entry)
      total += entry.size
      return entry.value
    },
    set(key, value, size) {
      remove(key)
      if (size > maxSize) return
      entries.set(key, { value, size, since: performance.now() })
      total += size
      for (const oldest of entries.keys()) {
        if (total <= maxSize) return
        remove(oldest)
      }
    },
    removeBelow(prefix) {
      for (const key of entries.keys()) if (key.startsWith(prefix)) remove(key)
    },
    removeOld() {
      for (const [key, { since }] of entries) if (performance.now() - since > maxAgeMs) remove(key)
    },
  }
}
