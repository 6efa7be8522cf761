import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto'
import { derive, type Lock, readHeader, type Unlock, writeHeader } from './header'

export type { Lock, Unlock } from './header'
export { isRecipient, newIdentity, recipientOf } from './keys'

/*
 * The file format of age (https://age-encryption.org/v1), which the program `age` reads, too. Written here on
 * Node's own cryptography, because the packages for it encrypt with JavaScript at a tenth of the speed.
 */

const fileKeyBytes = 16
const nonceBytes = 16
const chunkBytes = 64 * 1024
const tagBytes = 16
const maxHeaderBytes = 16 * 1024
const algorithm = 'chacha20-poly1305'
const options = { authTagLength: tagBytes }

/** Encrypts a stream for a public key or with a passphrase, 64 KiB at a time. */
export async function* encrypt(source: AsyncIterable<Uint8Array>, lock: Lock): AsyncGenerator<Buffer> {
  const fileKey = randomBytes(fileKeyBytes)
  const salt = randomBytes(nonceBytes)
  yield Buffer.concat([await writeHeader(fileKey, lock), salt])
  const key = derive(fileKey, salt, 'payload')
  for await (const { chunk, number, isLast } of inChunks(source, chunkBytes)) {
    const cipher = createCipheriv(algorithm, key, nonceOf(number, isLast), options)
    yield Buffer.concat([cipher.update(chunk), cipher.final(), cipher.getAuthTag()])
  }
}

/**
 * Decrypts a stream, 64 KiB at a time. What it yields is authentic, and if it ends without an error, it is
 * complete.
 * @throws {Error} if the file is damaged or truncated, or the key or passphrase is not the right one
 */
export async function* decrypt(source: AsyncIterable<Uint8Array>, unlock: Unlock): AsyncGenerator<Buffer> {
  const { header, rest } = await splitHeader(source)
  const fileKey = await readHeader(header, unlock)
  const { beginning: salt, rest: payload } = await take(rest, nonceBytes)
  const key = derive(fileKey, salt, 'payload')
  for await (const { chunk, number, isLast } of inChunks(payload, chunkBytes + tagBytes)) {
    if (chunk.length < tagBytes || (chunk.length === tagBytes && number > 0)) throw damaged()
    const cipher = createDecipheriv(algorithm, key, nonceOf(number, isLast), options)
    cipher.setAuthTag(chunk.subarray(-tagBytes))
    try {
      yield Buffer.concat([cipher.update(chunk.subarray(0, -tagBytes)), cipher.final()])
    } catch (cause) {
      throw damaged(cause)
    }
  }
}

const damaged = (cause?: unknown): Error => new Error('the encrypted file is damaged or truncated', { cause })

function nonceOf(number: number, isLast: boolean): Buffer {
  const nonce = Buffer.alloc(12)
  nonce.writeUIntBE(number, 5, 6)
  nonce[11] = isLast ? 1 : 0
  return nonce
}

interface Chunk {
  chunk: Buffer
  number: number
  isLast: boolean
}

// All chunks have the same size except the last one, which is empty only if everything is.
async function* inChunks(source: AsyncIterable<Uint8Array>, bytes: number): AsyncGenerator<Chunk> {
  let held: Uint8Array[] = []
  let size = 0
  let number = 0
  for await (const part of source) {
    held.push(part)
    size += part.byteLength
    if (size <= bytes) continue
    const all = Buffer.concat(held)
    let at = 0
    for (; size - at > bytes; at += bytes) {
      yield { chunk: all.subarray(at, at + bytes), number: number++, isLast: false }
    }
    held = [all.subarray(at)]
    size -= at
  }
  yield { chunk: Buffer.concat(held), number, isLast: true }
}

async function splitHeader(
  source: AsyncIterable<Uint8Array>,
): Promise<{ header: string; rest: AsyncGenerator<Uint8Array> }> {
  const chunks = source[Symbol.asyncIterator]()
  let read: Buffer = Buffer.alloc(0)
  for (;;) {
    const mac = read.indexOf('\n--- ')
    const end = mac < 0 ? -1 : read.indexOf('\n', mac + 1)
    if (end >= 0) {
      return {
        header: read.toString('latin1', 0, end + 1),
        rest: joined(read.subarray(end + 1), chunks),
      }
    }
    const next = read.length > maxHeaderBytes ? { done: true } : await chunks.next()
    if (next.done || !('value' in next)) throw new Error('it is not an encrypted file')
    read = Buffer.concat([read, next.value])
  }
}

async function take(
  source: AsyncGenerator<Uint8Array>,
  bytes: number,
): Promise<{ beginning: Buffer; rest: AsyncGenerator<Uint8Array> }> {
  let read: Buffer = Buffer.alloc(0)
  while (read.length < bytes) {
    const next = await source.next()
    if (next.done) throw damaged()
    read = Buffer.concat([read, next.value])
  }
  return { beginning: read.subarray(0, bytes), rest: joined(read.subarray(bytes), source) }
}

async function* joined(first: Uint8Array, rest: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
  try {
    yield first
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value
  } finally {
    await rest.return?.()
  }
}
