import { GitHttpError } from './errors'

/** Of what a push says before its pack: the ten thousand refs that it may change take less, also with long names. */
export const commandBytes = 8 * 1024 * 1024

/** The body of a push, of which the beginning was read. */
export interface OpenedBody {
  /** How many objects the pack in it says it has; zero when there is none, or nothing sensible to read. */
  objects: number
  /** All of the body, with what was read already. */
  body: AsyncIterable<Buffer>
}

/**
 * Reads the body of a push up to the header of its pack: the refs to change, each in a packet with its length in front,
 * a packet of no length, then the pack, unless refs are only deleted. What is wrong with it is for git to say.
 * @throws {GitHttpError} when it comes too slowly, and for more refs than may be changed at once, all of which git would
 * hold in memory.
 */
export async function openPushBody(body: AsyncIterator<Buffer>): Promise<OpenedBody> {
  const chunks: Buffer[] = []
  let objects = 0
  let size = 0
  const read = announcement(count => {
    objects = count
  })
  for (;;) {
    // When the client is gone, reading the rest fails the same way.
    const next = await body.next().catch((error: unknown) => {
      if (error instanceof GitHttpError) throw error
    })
    if (!next || next.done) break
    chunks.push(next.value)
    size += next.value.length
    if (read(next.value)) break
    if (size > commandBytes) throw new GitHttpError(413, 'Push at most 10,000 branches and tags at once.')
  }
  return { objects, body: together(chunks, body) }
}

/** Gives a reader of the body's pieces that is true once it knows, and tells what it found. */
function announcement(found: (objects: number) => void): (chunk: Buffer) => boolean {
  let held: Buffer = Buffer.alloc(0)
  let skipping = 0
  let inPack = false
  let bringsPack = false
  return chunk => {
    const skipped = Math.min(skipping, chunk.length)
    skipping -= skipped
    held = Buffer.concat([held, chunk.subarray(skipped)])
    while (!inPack && held.length >= 4) {
      const length = Number.parseInt(held.toString('latin1', 0, 4), 16)
      if (Number.isNaN(length) || (length > 0 && length < 4)) return true
      if (held.length < Math.min(length, packetBeginning)) return false
      bringsPack ||= isUpdate(held.toString('latin1', 4, Math.min(length, packetBeginning)))
      inPack = length === 0
      // Over a connection that stays open, nothing follows either.
      if (inPack && !bringsPack) return true
      skipping = Math.max(0, length - held.length)
      held = held.subarray(length || 4)
    }
    if (!inPack || held.length < 12) return false
    if (held.toString('latin1', 0, 4) === 'PACK') found(held.readUInt32BE(8))
    return true
  }
}

// Up to the end of the second of two ids.
const packetBeginning = 4 + 2 * 64 + 2

/** Whether a ref is to lead to an object, rather than to be deleted. */
function isUpdate(packet: string): boolean {
  const [before = '', after = ''] = packet.split(' ')
  return /^[0-9a-f]{40,64}$/.test(before) && /[1-9a-f]/.test(after)
}

async function* together(chunks: readonly Buffer[], rest: AsyncIterator<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* chunks
    for (let next = await rest.next(); !next.done; next = await rest.next()) yield next.value
  } finally {
    await rest.return?.()
  }
}
