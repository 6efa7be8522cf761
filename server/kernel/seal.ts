import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import type { Config } from './config'
import { derivedKey } from './signature'

/** What a sealed text is for; one sealed for another purpose cannot be opened. */
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
 * Encrypts a text under the instance key: a byte for the format, 12 of nonce, the text by AES-256-GCM, 16 of tag. Two
 * seals of one text differ.
 */
export function seal(config: Pick<Config, 'secretKey'>, purpose: SealPurpose, text: string): Buffer {
  const nonce = randomBytes(nonceBytes)
  const cipher = createCipheriv('aes-256-gcm', derivedKey(config, purpose), nonce)
  const encrypted = Buffer.concat([cipher.update(text, 'utf8'), cipher.final()])
  return Buffer.concat([Buffer.of(format), nonce, encrypted, cipher.getAuthTag()])
}

/**
 * Decrypts what `seal` made for this purpose.
 * @throws {Error} for bytes that were changed, and where the instance has another key now.
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
    throw new Error(`cannot open what is sealed as ${purpose}: is the secret key another one?`, { cause })
  }
}
