import { createBoundedCache } from '../bounded-cache'
import type { Plain } from './ask'

/** Rendered texts in memory by key. */
export interface KeptResults<Result extends { plain?: Plain }> {
  get(key: string): Result | undefined
  /** Keeps a result of this size in characters, unless the same text may be rendered otherwise now. */
  keep(key: string, result: Result, size: number): void
}

const rememberedMs = 60 * 60_000
// A text that took too long may have done so because of other work.
const slowMs = 10 * 60_000

/** Creates a memory for results of `maxSize` characters in total. */
export function createKeptResults<Result extends { plain?: Plain }>(maxSize: number): KeptResults<Result> {
  const rendered = createBoundedCache<Result>({ maxSize: 0.75 * maxSize, maxAgeMs: rememberedMs })
  const slow = createBoundedCache<Result>({ maxSize: 0.25 * maxSize, maxAgeMs: slowMs })
  return {
    get: key => rendered.get(key) ?? slow.get(key),
    keep(key, result, size) {
      if (result.plain === 'unavailable') return
      const cache = result.plain === 'too slow' ? slow : rendered
      cache.set(key, result, size)
    },
  }
}
