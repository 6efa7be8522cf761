import { createHash, type Hash } from 'node:crypto'
import { createLimiter } from '@/server/kernel/concurrency-limit'
import type { ServiceCtx } from '@/server/kernel/ctx'
import type { ObjectStorage, Part } from '@/server/kernel/storage/types'

/** A part of known size. */
export interface SizedPart extends Part {
  size: number
}

interface Running {
  hash: Hash
  /** The parts hashed so far, in order. */
  hashed: number[]
  /** Parts that wait for earlier ones, by their place in the upload. */
  ahead: Map<number, number>
  work: Promise<void> | undefined
  /** The part that is hashed now. */
  step: Promise<void> | undefined
}

// Uploads in progress in this process, most recent last.
const running = new Map<number, Running>()
const maxKept = 256
const maxAhead = 4096
const maxBehind = 4
const [smallBytes, mostSmall] = [64 * 1024, 64]
// All hashing is done in one thread; a second upload can read meanwhile.
const reading = createLimiter({ concurrency: 2, maxQueue: Infinity })

/** The place that the official client puts at the end of a block id, after a random UUID. */
function placeOf(name: string): number | undefined {
  const id = Buffer.from(name, 'base64').toString('latin1')
  const match = /^[0-9a-f-]{36}(\d{12})$/.exec(id)
  return match ? Number(match[1]) : undefined
}

/**
 * Tells that a block is durable, so that the digest of the upload is computed while the rest still arrives. Blocks whose
 * ids do not tell their place are left to `digestOf`. Resolves when hashing is not far behind, which slows the client
 * down instead of leaving the work to the end.
 */
export async function noteBlock(
  { storage }: Pick<ServiceCtx, 'storage'>,
  artifactId: number,
  { name, part, storageKey }: { name: string; part: number; storageKey: string },
): Promise<void> {
  const place = placeOf(name)
  if (place === undefined || !storage.getPart) return
  const digest = running.get(artifactId) ?? {
    hash: createHash('sha256'),
    hashed: [],
    ahead: new Map(),
    work: undefined,
    step: undefined,
  }
  if (place > digest.hashed.length + maxAhead) {
    forgetDigest(artifactId)
    return
  }
  running.delete(artifactId)
  running.set(artifactId, digest)
  forgetOldest()
  if (place < digest.hashed.length) return
  digest.ahead.set(place, part)
  if (!digest.work && digest.ahead.has(digest.hashed.length))
    digest.work = advance(storage, storageKey, digest).catch(() => forgetDigest(artifactId))
  while (isBehind(digest) && running.get(artifactId) === digest) await digest.step?.catch(() => undefined)
}

function isBehind({ hashed, ahead }: Running): boolean {
  return Array.from({ length: maxBehind }, (_, at) => hashed.length + at).every(place => ahead.has(place))
}

async function advance(storage: ObjectStorage, key: string, digest: Running): Promise<void> {
  for (;;) {
    const place = digest.hashed.length
    const part = digest.ahead.get(place)
    if (part === undefined) {
      digest.work = undefined
      return
    }
    digest.step = reading(() => hashPart(storage, key, part, digest.hash))
    await digest.step
    digest.ahead.delete(place)
    digest.hashed.push(part)
  }
}

/**
 * Returns the SHA-256 of the parts of an upload in this order. Continues what was computed while they arrived, if that is
 * the beginning of this order.
 * @throws {DomainError} as `ObjectStorage.getPart`.
 */
export async function digestOf(
  storage: ObjectStorage,
  { artifactId, storageKey, parts }: { artifactId: number; storageKey: string; parts: readonly SizedPart[] },
): Promise<Buffer> {
  await running.get(artifactId)?.work
  const known = running.get(artifactId)
  const isBeginning = known?.hashed.every((part, at) => parts[at]?.part === part)
  const hash = known && isBeginning ? known.hash.copy() : createHash('sha256')
  // A small part that is used repeatedly is read once.
  const small = new Map<number, Buffer[]>()
  for (const { part, size } of parts.slice(known && isBeginning ? known.hashed.length : 0)) {
    const kept = small.get(part)
    if (kept) {
      for (const chunk of kept) hash.update(chunk)
      continue
    }
    const chunks: Buffer[] = []
    await reading(() =>
      hashPart(storage, storageKey, part, {
        update: chunk => {
          hash.update(chunk)
          if (size <= smallBytes) chunks.push(chunk)
        },
      }),
    )
    if (size <= smallBytes && small.size < mostSmall) small.set(part, chunks)
  }
  return hash.digest()
}

async function hashPart(
  storage: ObjectStorage,
  key: string,
  part: number,
  hash: { update(chunk: Buffer): unknown },
): Promise<void> {
  for await (const chunk of (await storage.getPart?.(key, part)) ?? []) hash.update(chunk)
}

export function forgetDigest(artifactId: number): void {
  running.delete(artifactId)
}

function forgetOldest(): void {
  const [oldest] = running.keys()
  if (running.size > maxKept && oldest !== undefined) running.delete(oldest)
}
