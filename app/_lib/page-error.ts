import { unavailableDigest } from '@/server/kernel/errors'

interface PageError {
  title: string
  text: string
  /** What finds the failure in the server's log. */
  number?: string
}

/** What to tell people of an error that a page ran into, of which nothing but Next's digest arrives in the browser. */
export function pageError(error: unknown): PageError {
  const number = digestOf(error)
  if (number === unavailableDigest) {
    return {
      title: 'Back in a moment',
      text: 'Guildhall cannot use its database or its storage right now. What was saved is safe. Try again in a moment.',
    }
  }
  return {
    title: 'Internal error',
    text: 'Something went wrong on our side. Trying again may help.',
    ...(number ? { number } : {}),
  }
}

function digestOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('digest' in error)) return undefined
  return typeof error.digest === 'string' ? error.digest : undefined
}
