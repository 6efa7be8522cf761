import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { Config } from './config'
import { derivedKey } from './signature'

/**
 * Purpose of a text that `seal` encrypts. A text encrypted for one purpose cannot be decrypted for another.
 */
export type SealPurpose =
  | 'hook.url'
  | 'hook.secret'
  | 'hook.authorization'
  | 'workflow.secret'
  | 'ssh.hostKey'
  | 'site.mark'

const format = 1
const nonceBytes = 12
const tagBytes = 16

/**
 * Encrypts a text with a key derived from the instance key. The result consists of a format byte, a 12-byte
 * nonce, the text encrypted with AES-256-GCM, and a 16-byte tag. Encryption is randomized: the same text
 * gives a different result each time.
 */
export function seal(config: Pick<Config, 'secretKey'>, purpose: SealPurpose, text: string): Buffer {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', derivedKey(config, purpose), nonce)
  const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([Buffer.of(format), nonce, encrypted, cipher.getAuthTag()])
}

/**
 * Decrypts a text that `seal` encrypted for the same purpose.
 * @throws {Error} if the encrypted bytes were changed or the instance key is different
 */
export function unseal(config: Pick<Config, 'secretKey'>, purpose: SealPurpose, sealed: Buffer): string {
  const body = sealed.subarray(1)
  try {
    if (sealed[0] !== format || body.length < nonceBytes + tagBytes) throw new Error('unknown format')
    const decipher = createDecipheriv(
      'aes-256-gcm',
      derivedKey(config, purpose),
      body.subarray(0, nonceBytes),
    )
    decipher.setAuthTag(body.subarray(-tagBytes))
    const text = decipher.update(body.subarray(nonceBytes, -tagBytes))
    return Buffer.concat([text, decipher.final()]).toString('utf8')
  } catch (cause) {
    throw new Error(`cannot decrypt a value sealed as ${purpose}; the secret key may have changed`, { cause })
  }
}
