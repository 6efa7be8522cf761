import { GitError } from '@/server/kernel/git/run'

/** Gives how many milliseconds are left. */
export type Budget = () => number

const usualMs = 20_000

/** Starts the time that all looks at the histories of one push may take together: whoever pushed waits for them. */
export function startBudget(ms = usualMs): Budget {
  const end = performance.now() + ms
  return () => Math.ceil(end - performance.now())
}

/**
 * Looks something up in a history as long as there is time. These are facts worth showing, not worth losing a push for:
 * the fallback stands where git fails, because a history is broken, or takes too long.
 */
export async function inTime<T>(
  budget: Budget,
  fallback: T,
  look: (timeoutMs: number) => Promise<T>,
): Promise<T> {
  const left = budget()
  if (left <= 0) return fallback
  return await look(left).catch(error => {
    if (error instanceof GitError) return fallback
    throw error
  })
}
