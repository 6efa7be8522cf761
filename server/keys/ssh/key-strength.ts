import type { SshAlgorithm } from './blob'
import { invalidKey } from './errors'

const minBits: Record<SshAlgorithm, number | 'off'> = {
  ed25519: 256,
  'ed25519-sk': 256,
  ecdsa: 256,
  'ecdsa-sk': 256,
  // One less than 3072, because a modulus may be slightly shorter than the requested size.
  rsa: 3071,
  dsa: 'off',
}

// OpenSSH reads no larger modulus, so a larger key could be added but never used.
const maxBits = 16384

/**
 * Checks that the algorithm of an SSH key is allowed and that its size is in range.
 * @throws {DomainError} unprocessable if the algorithm is not allowed or the size is out of range.
 */
export function requireAllowedStrength(algorithm: SshAlgorithm, bits: number): void {
  const minimum = minBits[algorithm]
  if (minimum === 'off') {
    throw invalidKey(`key type is not allowed: ${algorithm}`, {
      code: 'keyTooWeak',
      algorithm,
      bits,
      least: null,
    })
  }
  if (bits < minimum) {
    throw invalidKey(`key length is not enough: got ${bits}, needs ${minimum}`, {
      code: 'keyTooWeak',
      algorithm,
      bits,
      // The next size that programs offer.
      least: algorithm === 'rsa' ? 3072 : minimum,
    })
  }
  if (bits > maxBits) throw invalidKey(`key length is too large: got ${bits}, at most ${maxBits}`)
}
