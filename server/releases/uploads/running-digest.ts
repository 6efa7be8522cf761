import { createHash, type Hash } from 'node:crypto'
import type { ObjectStorage } from '@/server/kernel/storage/types'

interface Running {
  hash: Hash
  /** The number of bytes hashed so far. */
  bytes: number
}

// The digests of uploads in progress by upload ID, most recently used last.
const running = new Map<string, Running>()
const maxKept = 1000

/**
 * Returns the SHA-256 state after the first `bytes` bytes of an upload, so that hashing can continue;
 * undefined if this process has not hashed exactly these bytes.
 */
export function digestAt(id: string, bytes: number): Running | undefined {
  if (bytes === 0) return { hash: createHash('sha256'), bytes }
  const known = running.get(id)
  return known?.bytes === bytes ? { hash: known.hash.copy(), bytes } : undefined
}

/** Stores the SHA-256 state of an upload in memory. Forgets the oldest states if there are too many. */
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

/**
 * Returns the SHA-256 digest of a complete upload. Reads the upload from storage if this process has not
 * hashed all of it.
 */
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
