import type { ServiceCtx } from '@/server/kernel/ctx'
import type { ObjectStorage, PartHash } from '@/server/kernel/storage/types'

interface Running {
  hash: PartHash
  /** Parts hashed so far, in order. */
  hashed: number[]
  /** Parts that wait for earlier ones, by their index in the upload. */
  ahead: Map<number, number>
  work: Promise<void> | undefined
  /** Hashing of the current part. */
  step: Promise<void> | undefined
}

// Digests of uploads in progress in this process, by object key, the most recent last.
const running = new Map<string, Running>()
const maxKept = 256
const maxAhead = 4096
const maxLag = 16
// Small enough that other uploads get their turn.
const concurrentParts = 256

/** Returns the index that the official client puts at the end of a block ID, after a random UUID. */
function indexFor(name: string): number | undefined {
  const id = Buffer.from(name, 'base64').toString('latin1')
  const match = /^[0-9a-f-]{36}(\d{12})$/.exec(id)
  return match ? Number(match[1]) : undefined
}

/**
 * Notes that a block is stored, so that the digest of the upload is computed while other blocks still arrive.
 * Blocks without an index in their ID are left to `digestOf`. Resolves once hashing is not far behind, which
 * slows the client down instead of leaving the work to the end.
 */
export async function noteBlock(
  { storage }: Pick<ServiceCtx, 'storage'>,
  { name, part, storageKey }: { name: string; part: number; storageKey: string },
): Promise<void> {
  const index = indexFor(name)
  if (index === undefined || !storage.hashParts) return
  const digest = running.get(storageKey) ?? {
    hash: storage.hashParts(storageKey),
    hashed: [],
    ahead: new Map(),
    work: undefined,
    step: undefined,
  }
  running.delete(storageKey)
  running.set(storageKey, digest)
  if (index > digest.hashed.length + maxAhead) return forgetDigest(storageKey)
  forgetOldest()
  if (index < digest.hashed.length) return
  digest.ahead.set(index, part)
  if (!digest.work && digest.ahead.has(digest.hashed.length))
    digest.work = advance(digest).catch(() => forgetDigest(storageKey))
  while (isBehind(digest) && running.get(storageKey) === digest) await digest.step?.catch(() => undefined)
}

function isBehind({ hashed, ahead }: Running): boolean {
  return Array.from({ length: maxLag }, (_, at) => hashed.length + at).every(index => ahead.has(index))
}

async function advance(digest: Running): Promise<void> {
  for (;;) {
    const index = digest.hashed.length
    const part = digest.ahead.get(index)
    if (part === undefined) {
      digest.work = undefined
      return
    }
    digest.step = digest.hash.add([part])
    await digest.step
    digest.ahead.delete(index)
    digest.hashed.push(part)
  }
}

/**
 * Returns the SHA-256 of the parts of an upload in this order; undefined if the storage cannot read parts.
 * Continues from the digest computed during the upload if that covers the start of this order.
 * @throws {DomainError} as `PartHash.add`.
 */
export async function digestOf(
  storage: ObjectStorage,
  { storageKey, parts }: { storageKey: string; parts: readonly number[] },
): Promise<Buffer | undefined> {
  await running.get(storageKey)?.work
  const known = running.get(storageKey)
  const isBeginning = known?.hashed.every((part, at) => parts[at] === part)
  const hash = known && isBeginning ? known.hash.copy() : storage.hashParts?.(storageKey)
  if (!hash) return undefined
  try {
    const begin = known && isBeginning ? known.hashed.length : 0
    for (let at = begin; at < parts.length; at += concurrentParts)
      await hash.add(parts.slice(at, at + concurrentParts))
    return await hash.digest()
  } catch (error) {
    forgetDigest(storageKey)
    throw error
  } finally {
    hash.release()
  }
}

export function forgetDigest(storageKey: string): void {
  running.get(storageKey)?.hash.release()
  running.delete(storageKey)
}

function forgetOldest(): void {
  const [oldest] = running.keys()
  if (running.size > maxKept && oldest !== undefined) forgetDigest(oldest)
}
