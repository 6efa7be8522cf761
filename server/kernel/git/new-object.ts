import { createHash } from 'node:crypto'

/** The hash algorithm that names the objects of a repository. */
export type ObjectFormat = 'sha1' | 'sha256'

/** Bytes of a known number, in memory or in a file, which can be read several times. */
export interface Bytes {
  size: number
  read(): AsyncIterable<Buffer> | Iterable<Buffer>
}

export const bytesOf = (bytes: Buffer): Bytes => ({ size: bytes.length, read: () => [bytes] })

/** A Git object that is to be written. */
export interface NewObject {
  id: string
  type: 'commit' | 'tree' | 'blob'
  content: Bytes
}

/** Returns an object with its ID. */
export async function newObject(
  format: ObjectFormat,
  type: NewObject['type'],
  content: Bytes,
): Promise<NewObject> {
  const hash = createHash(format).update(`${type} ${content.size}\0`)
  for await (const chunk of content.read()) hash.update(chunk)
  return { id: hash.digest('hex'), type, content }
}

/** Reads bytes into memory. */
export async function wholeOf(content: Bytes): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of content.read()) chunks.push(chunk)
  return Buffer.concat(chunks)
}
