import type { ServiceCtx } from '@/server/kernel/ctx'
import type { ObjectStorage, PartHash } from '@/server/kernel/storage/types'

interface Running {
  hash: PartHash
  /** The parts hashed so far, in order. */
  hashed: number[]
  /** Parts that wait for earlier ones, by their place in the upload. */
  ahead: Map<number, number>
  work: Promise<void> | undefined
  /** The part that is hashed now. */
  step: Promise<void> | undefined
}

// Uploads in progress in this process by the keys of their objects, most recent last.
const running = new Map<string, Running>()
const maxKept = 256
const maxAhead = 4096
const maxLag = 16
// Few enough for other uploads to take turns.
const concurrentParts = 256

/** The place that the official client puts at the end of a block id, after a random UUID. */
function indexFor(name: string): number | undefined {
  const id = Buffer.from(name, 'base64').toString('latin1')
  const match = /^[0-9a-f-]{36}(\d{12})$/.exec(id)
  return match ? Number(match[1]) : undefined
}

/**
 * Tells that a block is stored, so that the digest of the upload is computed while the rest still arrives. Blocks whose
 * ids do not tell their place are left to `digestOf`. Resolves when hashing is not far behind, which slows the client
 * down instead of leaving the work to the end.
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
 * Returns the SHA-256 of the parts of an upload in this order; undefined if the storage cannot read parts. Continues what
 * was computed while they arrived, if that is the beginning of this order.
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
