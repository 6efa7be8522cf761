import { unavailableDigest } from '@/server/kernel/errors'

interface PageError {
  title: string
  text: string
  /** Error ID that identifies the failure in the server's log. */
  number?: string
}

/**
 * Returns the text for an error of a page. The browser receives only the digest that Next.js computes of the
 * error.
 */
export function pageError(error: unknown): PageError {
  const number = digestOf(error)
  if (number === unavailableDigest) {
    return {
      title: 'Temporarily unavailable',
      text: 'Guildhall can’t reach its database or storage right now. Your saved data is safe. Try again in a moment.',
    }
  }
  return {
    title: 'Internal error',
    text: 'Something went wrong on our end. Try again.',
    ...(number ? { number } : {}),
  }
}

function digestOf(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('digest' in error)) return undefined
  return typeof error.digest === 'string' ? error.digest : undefined
}
