import { createHmac, hkdfSync, timingSafeEqual } from 'node:crypto'
import type { Config } from './config'

/** Action that a signature permits, including the method. A signature for another purpose is invalid. */
export type SignaturePurpose = 'PUT artifact upload' | 'GET artifact'

type KeyHolder = Pick<Config, 'secretKey'>

/**
 * Signs fields with HMAC-SHA-256 and the instance key. Each field is preceded by its length, so that different
 * lists of fields never share a signature. The result is base64url without padding, because some clients drop
 * a trailing `=` from URLs.
 */
export function sign(config: KeyHolder, purpose: SignaturePurpose, fields: readonly string[]): string {
  return digestOf(config, purpose, fields).toString('base64url')
}

/** Verifies a signature created by `sign`, in constant time. */
export function isSigned(
  config: KeyHolder,
  purpose: SignaturePurpose,
  fields: readonly string[],
  signature: string,
): boolean {
  const expected = digestOf(config, purpose, fields)
  // Compared as text, because decoding would accept several spellings of one signature.
  const [left, right] = [Buffer.from(expected.toString('base64url')), Buffer.from(signature)]
  return left.length === right.length && timingSafeEqual(left, right)
}

function digestOf(config: KeyHolder, purpose: SignaturePurpose, fields: readonly string[]): Buffer {
  const hmac = createHmac('sha256', derivedKey(config, 'signed URL'))
  for (const field of [purpose, ...fields]) {
    const bytes = Buffer.from(field)
    hmac.update(`${bytes.length}:`).update(bytes)
  }
  return hmac.digest()
}

const keys = new Map<string, Buffer>()

/**
 * Derives a 32-byte key from the instance key, different for each use.
 * @throws {Error} if the instance has no key
 */
export function derivedKey({ secretKey }: KeyHolder, use: string): Buffer {
  if (secretKey === undefined) throw new Error('the instance has no secret key')
  const name = `${use} ${secretKey}`
  const known = keys.get(name)
  if (known) return known
  const key = Buffer.from(hkdfSync('sha256', secretKey, '', `guildhall ${use}`, 32))
  keys.set(name, key)
  return key
}
