import type { Clock } from './clock'
import { unprocessable } from './errors'

/**
 * Parses the expiry of a new key or token; null if it never expires.
 * @throws {DomainError} unprocessable if the expiry is in the past.
 */
export function parseExpiry(
  { clock }: { clock: Clock },
  what: 'key' | 'token',
  wanted: string | undefined,
): Date | null {
  if (wanted === undefined) return null
  const end = new Date(wanted)
  if (end <= clock.now()) {
    throw unprocessable(`the expiration date of a ${what} must be in the future`, { field: 'expires_at' })
  }
  return end
}
