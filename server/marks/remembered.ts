/**
 * Wraps a function so that it returns its last result again for a time that depends on the result. Concurrent
 * calls share one result. A failure is not remembered.
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
