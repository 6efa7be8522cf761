/**
 * Runs `work` for each entry, eight at a time. If one fails, the promise rejects after all the others have
 * settled.
 */
export async function eightConcurrently<T>(
  entries: readonly T[],
  work: (entry: T, index: number) => Promise<unknown>,
): Promise<void> {
  const left = entries.entries()
  const worker = async () => {
    for (const [index, entry] of left) await work(entry, index)
  }
  const ends = await Promise.allSettled(Array.from({ length: 8 }, worker))
  const failed = ends.find(end => end.status === 'rejected')
  if (failed) throw failed.reason
}
