import { buffer } from 'node:stream/consumers'
import { z } from 'zod'
import {
  decrypt,
  encrypt,
  isRecipient,
  type Lock,
  newIdentity,
  recipientOf,
  type Unlock,
} from '@/server/kernel/age'

/** How a location is encrypted, as its description says. It contains no secret that is not encrypted itself. */
export const Encryption = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('none') }),
  /** The secret key of the location is encrypted with the passphrase, so that only opening it takes long. */
  z.object({ kind: z.literal('passphrase'), recipient: z.string(), identity: z.string() }),
  z.object({ kind: z.literal('key'), recipient: z.string() }),
])
export type Encryption = z.output<typeof Encryption>

/** What a person provides to encrypt or decrypt backups; at most one of them. */
export interface Secrets {
  passphrase?: string | undefined
  /** The cost of the passphrase in a new location, as for a `Lock`. */
  workFactor?: number | undefined
  /** Public key `age1…`, with which nothing can be decrypted. */
  publicKey?: string | undefined
  /** Secret key `AGE-SECRET-KEY-1…`. */
  identity?: string | undefined
}

/** Encrypts and decrypts the content of a location. */
export interface Cipher {
  isEncrypted: boolean
  /** Whether `open` is possible: not with a public key alone. */
  canOpen: boolean
  seal(source: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>
  open(source: AsyncIterable<Uint8Array>): AsyncIterable<Uint8Array>
}

/** Decides how a new location is encrypted. */
export async function newEncryption(secrets: Secrets): Promise<Encryption> {
  const { passphrase, workFactor, publicKey, identity } = secrets
  const recipient = publicKey ?? (identity && recipientOf(identity))
  if (recipient !== undefined) {
    if (!isRecipient(recipient)) throw new Error('the public key for backups must start with age1')
    return { kind: 'key', recipient }
  }
  if (passphrase === undefined) return { kind: 'none' }
  const own = newIdentity()
  const sealed = await buffer(encrypt(once(Buffer.from(own)), { passphrase, workFactor }))
  return { kind: 'passphrase', recipient: recipientOf(own), identity: sealed.toString('base64') }
}

/**
 * Returns the cipher of a location. Without secrets, it cannot decrypt anything.
 * @throws {Error} if the secrets do not fit the location
 */
export async function cipherFor(encryption: Encryption, secrets: Secrets | undefined): Promise<Cipher> {
  if (encryption.kind !== 'none' && !secrets) return withKeys(encryption, undefined)
  const { passphrase, publicKey, identity } = secrets ?? {}
  const isAnyProvided = passphrase !== undefined || publicKey !== undefined || identity !== undefined
  if (encryption.kind === 'none') {
    if (isAnyProvided)
      throw new Error('the backups there are not encrypted; choose another location for encrypted ones')
    return { isEncrypted: false, canOpen: true, seal: source => source, open: source => source }
  }
  const { recipient } = encryption
  if (publicKey !== undefined && publicKey !== recipient) {
    throw new Error(`the backups there are encrypted for another public key, ${recipient}`)
  }
  const key = identity ?? (await identityIn(encryption, passphrase))
  if (key !== undefined && recipientOf(key) !== recipient) {
    throw new Error(`the backups there are encrypted for another key, ${recipient}`)
  }
  if (key === undefined && publicKey === undefined) throw new Error(needed[encryption.kind])
  return withKeys({ recipient }, key === undefined ? undefined : { identity: key })
}

const needed = {
  passphrase:
    'the backups there are encrypted: set GUILDHALL_BACKUP_PASSPHRASE or GUILDHALL_BACKUP_PASSPHRASE_FILE',
  key: 'the backups there are encrypted for a public key: set GUILDHALL_BACKUP_PUBLIC_KEY, or use --identity FILE to read them',
}

async function identityIn(
  encryption: Encryption,
  passphrase: string | undefined,
): Promise<string | undefined> {
  if (encryption.kind !== 'passphrase' || passphrase === undefined) return undefined
  const opened = await buffer(decrypt(once(Buffer.from(encryption.identity, 'base64')), { passphrase }))
  return opened.toString()
}

function withKeys(lock: Lock, unlock: Unlock | undefined): Cipher {
  return {
    isEncrypted: true,
    canOpen: unlock !== undefined,
    seal: source => encrypt(source, lock),
    open(source) {
      if (!unlock) throw new Error(needed.key)
      return decrypt(source, unlock)
    },
  }
}

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes
}
