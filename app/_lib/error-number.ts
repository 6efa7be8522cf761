/** What finds the failure in the server's log: Next's digest of an error that a page ran into. */
export function errorNumber(error: unknown): string | undefined {
  if (typeof error !== 'object' || error === null || !('digest' in error)) return undefined
  return typeof error.digest === 'string' ? error.digest : undefined
}
