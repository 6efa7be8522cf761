import {
  createCipheriv,
  createDecipheriv,
  createHmac,
  hkdfSync,
  randomBytes,
  scrypt,
  timingSafeEqual,
} from 'node:crypto'
import { promisify } from 'node:util'
import { publicBytes, recipientBytes, secretBytes, sharedSecret } from './keys'

/**
 * What a file is encrypted with: a public key `age1…` or a passphrase. The work factor is the binary logarithm of
 * the cost of scrypt; only tests lower it.
 */
export type Lock = { recipient: string } | { passphrase: string; workFactor?: number | undefined }
/** What opens a file: a secret key `AGE-SECRET-KEY-1…` or a passphrase. */
export type Unlock = { identity: string } | { passphrase: string }

const version = 'age-encryption.org/v1'
// About a third of a second and 128 MiB.
const defaultWorkFactor = 17
// A file from elsewhere must not be able to request any amount of work.
const maxWorkFactor = 20
const tagBytes = 16

/** Returns the header of an encrypted file, which wraps its random key. */
export async function writeHeader(fileKey: Buffer, lock: Lock): Promise<Buffer> {
  const stanza =
    'recipient' in lock
      ? wrapFor(fileKey, lock.recipient)
      : await wrapBy(fileKey, lock.passphrase, lock.workFactor)
  const text = `${version}\n${stanza}\n---`
  return Buffer.from(`${text} ${base64(headerMac(fileKey, text))}\n`)
}

/**
 * Returns the key of a file from its header.
 * @throws {Error} if the header is damaged, or the key or passphrase is not the right one
 */
export async function readHeader(header: string, unlock: Unlock): Promise<Buffer> {
  const [, stanzas, mac] = /^age-encryption\.org\/v1\n([\s\S]*?)\n--- ([\w+/]{43})\n$/.exec(header) ?? []
  if (stanzas === undefined || mac === undefined) throw new Error('the encrypted file has no valid header')
  const fileKey = await unwrap(stanzas, unlock)
  const found = Buffer.from(mac, 'base64')
  if (!timingSafeEqual(found, headerMac(fileKey, `${version}\n${stanzas}\n---`))) {
    throw new Error('the header of the encrypted file is damaged')
  }
  return fileKey
}

function wrapFor(fileKey: Buffer, recipient: string): string {
  const to = recipientBytes(recipient)
  const ephemeral = randomBytes(32)
  const share = publicBytes(ephemeral)
  const key = wrapKey(sharedSecret(ephemeral, to), share, to)
  return `-> X25519 ${base64(share)}\n${base64(sealKey(key, fileKey))}`
}

async function wrapBy(fileKey: Buffer, passphrase: string, workFactor = defaultWorkFactor): Promise<string> {
  const salt = randomBytes(16)
  const key = await stretch(passphrase, salt, workFactor)
  return `-> scrypt ${base64(salt)} ${workFactor}\n${base64(sealKey(key, fileKey))}`
}

async function unwrap(stanzas: string, unlock: Unlock): Promise<Buffer> {
  if ('passphrase' in unlock) {
    const [, salt, workFactor, body] = /^-> scrypt ([\w+/]{22}) (\d\d?)\n([\w+/]{43})$/.exec(stanzas) ?? []
    if (!salt || !body || Number(workFactor) > maxWorkFactor)
      throw new Error('it was not encrypted with a passphrase')
    const key = await stretch(unlock.passphrase, Buffer.from(salt, 'base64'), Number(workFactor))
    const opened = openKey(key, Buffer.from(body, 'base64'))
    if (!opened) throw new Error('the passphrase is wrong')
    return opened
  }
  const secret = secretBytes(unlock.identity)
  const own = publicBytes(secret)
  for (const [, share, body] of stanzas.matchAll(/^-> X25519 ([\w+/]{43})\n([\w+/]{43})$/gm)) {
    const from = Buffer.from(share ?? '', 'base64')
    const key = wrapKey(sharedSecret(secret, from), from, own)
    const opened = openKey(key, Buffer.from(body ?? '', 'base64'))
    if (opened) return opened
  }
  throw new Error('it was encrypted for another key')
}

const wrapKey = (shared: Buffer, share: Buffer, recipient: Buffer): Buffer =>
  derive(shared, Buffer.concat([share, recipient]), `${version}/X25519`)

async function stretch(passphrase: string, salt: Buffer, workFactor: number): Promise<Buffer> {
  const cost = 2 ** workFactor
  const options = { N: cost, r: 8, p: 1, maxmem: 256 * 8 * cost }
  const stretched = promisify<string, Buffer, number, typeof options, Buffer>(scrypt)
  return await stretched(passphrase, Buffer.concat([Buffer.from(`${version}/scrypt`), salt]), 32, options)
}

// The key is used once, so the nonce can be fixed.
const nonce = Buffer.alloc(12)
const algorithm = 'chacha20-poly1305'
const options = { authTagLength: tagBytes }

function sealKey(key: Buffer, fileKey: Buffer): Buffer {
  const cipher = createCipheriv(algorithm, key, nonce, options)
  return Buffer.concat([cipher.update(fileKey), cipher.final(), cipher.getAuthTag()])
}

function openKey(key: Buffer, sealed: Buffer): Buffer | undefined {
  const cipher = createDecipheriv(algorithm, key, nonce, options)
  cipher.setAuthTag(sealed.subarray(-tagBytes))
  try {
    return Buffer.concat([cipher.update(sealed.subarray(0, -tagBytes)), cipher.final()])
  } catch {
    return undefined
  }
}

/** Derives a key of 32 bytes with HKDF-SHA256. */
export function derive(secret: Buffer, salt: Buffer, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', secret, salt, purpose, 32))
}

const headerMac = (fileKey: Buffer, text: string): Buffer =>
  createHmac('sha256', derive(fileKey, Buffer.alloc(0), 'header'))
    .update(text)
    .digest()

const base64 = (bytes: Buffer): string => bytes.toString('base64').replace(/=+$/, '')
