/**
 * Makes a function answer with what it gave last, for a time that depends on that; who asks at once shares one answer. A failure
 * is not kept.
 */
export function remembered<T>(work: () => Promise<T>, keptMs: (result: T) => number): () => Promise<T> {
  let last: { answer: Promise<T>; until: number } | undefined
  return () => {
    const now = performance.now()
    if (last && now < last.until) return last.answer
    const made = { answer: work(), until: Infinity }
    last = made
    made.answer.then(
      result => {
        made.until = performance.now() + keptMs(result)
      },
      () => {
        made.until = 0
      },
    )
    return made.answer
  }
}
