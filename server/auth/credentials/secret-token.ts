import { createHash, randomBytes } from 'node:crypto'

export interface SecretToken {
  /** Shown once, never stored. */
  secret: string
  hash: Buffer
  lastEight: string
}

/** A personal access token: 160 random bits as 40 lower-case hex characters. */
export function newAccessToken(): SecretToken {
  return tokenOf(randomBytes(20).toString('hex'))
}

/** A session's cookie value: 256 random bits. */
export function newSessionToken(): SecretToken {
  return tokenOf(randomBytes(32).toString('base64url'))
}

/** Only this is stored. The secret has full entropy, so a plain hash cannot be guessed back. */
export function hashSecret(secret: string): Buffer {
  return createHash('sha256').update(secret).digest()
}

function tokenOf(secret: string): SecretToken {
  return { secret, hash: hashSecret(secret), lastEight: secret.slice(-8) }
}
