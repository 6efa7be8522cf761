import type { Readable } from 'node:stream'
import type { ByteRange, ObjectStorage } from '@/server/kernel/storage/types'

/** The bytes of an archive, read in ranges. */
export interface ZipSource {
  size: number
  open(range: ByteRange): Promise<Readable>
}

/** An archive in the storage. */
export const storedZip = (
  storage: Pick<ObjectStorage, 'get'>,
  { key, size }: { key: string; size: number },
): ZipSource => ({ size, open: range => storage.get(key, range) })

/** Reads a range, which must be within the archive, into memory. */
export async function readRange(source: ZipSource, range: ByteRange): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  for await (const chunk of await source.open(range)) chunks.push(chunk)
  return Buffer.concat(chunks)
}
