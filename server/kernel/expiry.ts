import type { Clock } from './clock'
import { unprocessable } from './errors'

/**
 * Reads when a new key or token is to stop working; null for never.
 * @throws {DomainError} unprocessable for an end that is over.
 */
export function parseExpiry(
  { clock }: { clock: Clock },
  what: 'key' | 'token',
  wanted: string | undefined,
): Date | null {
  if (wanted === undefined) return null
  const end = new Date(wanted)
  if (end <= clock.now()) {
    throw unprocessable(`a ${what} cannot end before it begins; choose a later day`, { field: 'expires_at' })
  }
  return end
}
