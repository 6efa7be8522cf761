import { createHash, randomBytes } from 'node:crypto'

/** A new random secret, with the hash and the ending that are stored instead of it. */
export interface SecretToken {
  /** Shown to its owner once, and never stored. */
  secret: string
  hash: Buffer
  lastEight: string
}

/** Creates an access token: 160 random bits as 40 lowercase hex characters. */
export function newAccessToken(): SecretToken {
  return tokenOf(randomBytes(20).toString('hex'))
}

/** Creates the secret of a session cookie: 256 random bits in base64url. */
export function newSessionToken(): SecretToken {
  return tokenOf(randomBytes(32).toString('base64url'))
}

/**
 * Returns the SHA-256 hash of a random secret, which is stored instead of the secret. A plain hash is enough because the
 * secret has full entropy.
 */
export function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}

function tokenOf(secret: string): SecretToken {
  return { secret, hash: hashSecret(secret), lastEight: secret.slice(-8) }
}
