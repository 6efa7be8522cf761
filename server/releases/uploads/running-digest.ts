import { createHash, type Hash } from 'node:crypto'
import type { ObjectStorage } from '@/server/kernel/storage/types'

interface Running {
  hash: Hash
  /** The number of bytes hashed so far. */
  bytes: number
}

// Uploads in progress in this process, most recent last.
const running = new Map<string, Running>()
const maxKept = 1000

/** Returns the digest of the first `bytes` bytes, to be continued; undefined if this process has not seen all of them. */
export function digestAt(id: string, bytes: number): Running | undefined {
  if (bytes === 0) return { hash: createHash('sha256'), bytes }
  const known = running.get(id)
  return known?.bytes === bytes ? { hash: known.hash.copy(), bytes } : undefined
}

/** Remembers the digest of the bytes received so far. */
export function keepDigest(id: string, digest: Running): void {
  running.delete(id)
  running.set(id, digest)
  if (running.size <= maxKept) return
  const [oldest] = running.keys()
  if (oldest !== undefined) running.delete(oldest)
}

export function forgetDigest(id: string): void {
  running.delete(id)
}

/** Returns the SHA-256 of a complete upload, read from the storage if this process did not hash all of it. */
export async function wholeDigest(
  { id, size, storage_key }: { id: string; size: number; storage_key: string },
  storage: ObjectStorage,
): Promise<Buffer> {
  const known = digestAt(id, size)
  if (known) return known.hash.digest()
  const hash = createHash('sha256')
  for await (const chunk of await storage.get(storage_key)) hash.update(chunk)
  return hash.digest()
}
