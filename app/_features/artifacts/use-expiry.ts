import { useEffect } from 'react'

// Beyond this a timer of the browser would fire at once.
const longest = 2 ** 31 - 1
// The clock of the browser can be ahead, and the answer then still says that the artifact is there.
const shortest = 30_000

/** How long to wait, in milliseconds, before asking whether an artifact has expired. */
export function untilExpiry(expiresAt: string, now: number): number {
  return Math.min(Math.max(Date.parse(expiresAt) - now + 1000, shortest), longest)
}

/** Asks again once something has expired; nothing expires without a time. `asked` changes with each answer. */
export function useExpiry(expiresAt: string | undefined, asked: number, askAgain: () => unknown): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: another function asks the same
  useEffect(() => {
    if (expiresAt === undefined) return
    const timer = setTimeout(askAgain, untilExpiry(expiresAt, Date.now()))
    return () => clearTimeout(timer)
  }, [expiresAt, asked])
}
