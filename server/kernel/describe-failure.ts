const maxLength = 500

/**
 * Returns an error's message in one line of at most 500 characters, with credentials, query strings and
 * fragments removed from URLs.
 */
export function describeFailure(error: unknown): string {
  const text = error instanceof Error ? error.message || error.name : String(error)
  const plain = text
    .slice(0, 4 * maxLength)
    .replace(/\s+/g, ' ')
    .trim()
  return shortened(plain.replace(/\b([a-z][a-z\d+.-]{0,20}:\/\/)[^\s"'<>]+/gi, withoutSecrets))
}

// Signed URLs contain their signature in the query, and database URLs contain the password before the host.
const withoutSecrets = (address: string): string =>
  address.replace(/:\/\/[^/?#]*@/, '://').replace(/[?#].*$/, '')

/** Cuts text to 500 characters. */
export const shortened = (text: string): string =>
  text.length > maxLength ? `${text.slice(0, maxLength - 1)}…` : text
