interface Limits {
  maxEntries?: number
  /** Results for longer texts are not kept. */
  maxLength?: number
}

/**
 * Returns a function with the same results as `compute`, which must depend on nothing but the text. The
 * results are kept, and all are dropped when there are too many, so that clients can only use so much memory.
 */
export function remember<Result>(
  compute: (text: string) => Result,
  { maxEntries = 1000, maxLength = 255 }: Limits = {},
): (text: string) => Result {
  const known = new Map<string, { result: Result }>()
  return text => {
    const before = known.get(text)
    if (before) return before.result
    const result = compute(text)
    if (text.length > maxLength) return result
    if (known.size >= maxEntries) known.clear()
    known.set(text, { result })
    return result
  }
}
