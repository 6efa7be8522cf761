import { busyDigest, unavailableDigest, unreadableDigest } from '@/server/kernel/errors'

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
  if (number === busyDigest) {
    return {
      title: 'Too much to do',
      text: 'Guildhall is busy, or this takes too long to compute. Try again in a minute, or ask for a smaller part of it.',
    }
  }
  if (number === unreadableDigest) {
    return {
      title: 'Unreadable',
      text: 'Git can’t read this part of the repository: something in it is missing, damaged, or too large.',
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
