import type { SignatureState } from '@/server/artifacts'
import { unauthenticated } from '@/server/kernel/errors'

/**
 * Requires a valid signature. The messages are those that clients know.
 * @throws {DomainError} unauthenticated.
 */
export function requireSignature(state: SignatureState): void {
  if (state === 'wrong') throw unauthenticated('Error unauthorized')
  if (state === 'expired') throw unauthenticated('Error link expired')
}
