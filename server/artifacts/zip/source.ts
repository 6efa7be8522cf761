import type { Readable } from 'node:stream'
import type { ByteRange, ObjectStorage } from '@/server/kernel/storage/types'

/** Archive whose bytes can be read in ranges. */
export interface ZipSource {
  size: number
  open(range: ByteRange): Promise<Readable>
}

/** Returns an archive in the storage as a source. */
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
