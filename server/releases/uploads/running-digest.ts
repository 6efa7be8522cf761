import { createHash, type Hash } from 'node:crypto'
import type { ObjectStorage } from '@/server/kernel/storage/types'

interface Running {
  hash: Hash
  /** The number of bytes that went into it. */
  bytes: number
}

// Of uploads under way in this process, newest last.
const running = new Map<string, Running>()
const maxKept = 1000

/** The digest of an upload as far as these bytes, to go on with; undefined where this process has not seen all of them. */
export function digestAt(id: string, bytes: number): Running | undefined {
  if (bytes === 0) return { hash: createHash('sha256'), bytes }
  const known = running.get(id)
  return known?.bytes === bytes ? { hash: known.hash.copy(), bytes } : undefined
}

/** Keeps how far the digest of an upload has come. */
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

/** The SHA-256 of a whole upload: what was computed while it came, otherwise read from the storage again. */
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
