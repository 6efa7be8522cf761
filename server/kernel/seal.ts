import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { Config } from './config'
import { derivedKey } from './signature'

/** Purpose of a sealed text. A text that was sealed for another purpose cannot be opened. */
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
 * Encrypts a text with the instance key. The result consists of a format byte, a 12-byte nonce, the text
 * encrypted with AES-256-GCM, and a 16-byte tag. Sealing the same text twice gives different results.
 */
export function seal(config: Pick<Config, 'secretKey'>, purpose: SealPurpose, text: string): Buffer {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', derivedKey(config, purpose), nonce)
  const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([Buffer.of(format), nonce, encrypted, cipher.getAuthTag()])
}

/**
 * Decrypts what `seal` returned for the same purpose.
 * @throws {Error} if the bytes were changed or the instance key is different
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
