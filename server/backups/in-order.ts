/**
 * Applies work to items with limited concurrency and yields the results in the order of the items. After a
 * failure, no more work is started, and the failure is thrown when the work that was started has ended.
 */
export async function* inOrder<T, R>(
  items: AsyncIterable<T> | Iterable<T>,
  concurrency: number,
  work: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  const running: Promise<R>[] = []
  try {
    for await (const item of items) {
      const result = work(item)
      // Awaited below; until then, a failure must not count as unhandled.
      result.catch(() => undefined)
      running.push(result)
      if (running.length >= concurrency) yield await (running.shift() as Promise<R>)
    }
    while (running.length > 0) yield await (running.shift() as Promise<R>)
  } finally {
    await Promise.allSettled(running)
  }
}
