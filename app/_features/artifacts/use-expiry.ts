import { useEffect } from 'react'

// A browser timer with a longer delay would fire immediately.
const longest = 2 ** 31 - 1
// The browser's clock can be ahead, and the response then still contains the artifact.
const shortest = 30_000

/** Returns how long to wait, in milliseconds, before checking whether an artifact has expired. */
export function untilExpiry(expiresAt: string, now: number): number {
  return Math.min(Math.max(Date.parse(expiresAt) - now + 1000, shortest), longest)
}

/**
 * Calls `askAgain` once the expiry has passed. Without an expiry, nothing is scheduled. `asked` changes with
 * each response.
 */
export function useExpiry(expiresAt: string | undefined, asked: number, askAgain: () => unknown): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: another function asks the same
  useEffect(() => {
    if (expiresAt === undefined) return
    const timer = setTimeout(askAgain, untilExpiry(expiresAt, Date.now()))
    return () => clearTimeout(timer)
  }, [expiresAt, asked])
}
