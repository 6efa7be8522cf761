import { createPrivateKey, createPublicKey, diffieHellman, type KeyObject, randomBytes } from 'node:crypto'
import { decodeBech32, encodeBech32 } from './bech32'

const recipientPrefix = 'age'
const identityPrefix = 'age-secret-key-'

// Node imports X25519 keys only inside these DER structures.
const publicHeader = Buffer.from('302a300506032b656e032100', 'hex')
const privateHeader = Buffer.from('302e020100300506032b656e04220420', 'hex')

/** A new secret key, `AGE-SECRET-KEY-1…`. */
export const newIdentity = (): string => encodeBech32(identityPrefix, randomBytes(32)).toUpperCase()

/**
 * Returns the public key `age1…` of a secret key.
 * @throws {Error} if the text is not a secret key
 */
export const recipientOf = (identity: string): string =>
  encodeBech32(recipientPrefix, publicBytes(secretBytes(identity)))

/** Whether the text is a public key `age1…`. Hybrid and plugin keys are not supported. */
export const isRecipient = (text: string): boolean => decodeBech32(recipientPrefix, text)?.length === 32

/**
 * Returns the 32 bytes of a public key.
 * @throws {Error} if the text is not a public key
 */
export function recipientBytes(recipient: string): Buffer {
  const bytes = decodeBech32(recipientPrefix, recipient)
  if (bytes?.length !== 32) throw new Error('expected a public key that starts with age1')
  return bytes
}

/**
 * Returns the 32 bytes of a secret key.
 * @throws {Error} if the text is not a secret key
 */
export function secretBytes(identity: string): Buffer {
  const bytes = decodeBech32(identityPrefix, identity)
  if (bytes?.length !== 32) throw new Error('expected a secret key that starts with AGE-SECRET-KEY-1')
  return bytes
}

export function publicBytes(secret: Buffer): Buffer {
  const exported = createPublicKey(privateKey(secret)).export({ type: 'spki', format: 'der' })
  return exported.subarray(publicHeader.length)
}

/** Returns the secret that a secret key and another public key share, both in 32 bytes. */
export function sharedSecret(secret: Buffer, other: Buffer): Buffer {
  const publicKey = createPublicKey({
    key: Buffer.concat([publicHeader, other]),
    type: 'spki',
    format: 'der',
  })
  return diffieHellman({ privateKey: privateKey(secret), publicKey })
}

function privateKey(secret: Buffer): KeyObject {
  return createPrivateKey({ key: Buffer.concat([privateHeader, secret]), type: 'pkcs8', format: 'der' })
}
