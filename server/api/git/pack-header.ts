import { pushOptionsRefusal } from '@/server/repos/push'
import { GitHttpError } from './errors'

/**
 * Maximum bytes of a push before its pack. The ten thousand refs that a push can change take less, even with long
 * names.
 */
export const commandBytes = 8 * 1024 * 1024

// The hook refuses fewer than these with a message that every client shows. Git would hold more in memory and could
// not start the hook.
const [maxOptions, maxOptionBytes] = [1000, 1024 * 1024]

/** Body of a push whose beginning has been read. */
export interface OpenedBody {
  /** Number of objects that its pack announces; zero if there is no pack or its header is invalid. */
  objects: number
  /** The client's capabilities, as far as they matter here. */
  capabilities: ReadonlySet<string>
  /** The whole body, including the part that has been read. */
  body: AsyncIterable<Buffer>
}

/**
 * Reads the body of a push up to the header of its pack. The body is a list of packets, each after its length: the
 * refs to change, a flush packet, the push options in the same form if the client announces them, then the pack unless
 * refs are only deleted. Git reports anything malformed.
 * @throws {GitHttpError} if it arrives too slowly, or has more refs or options than allowed, because Git would hold
 * all of them in memory.
 */
export async function openPushBody(body: AsyncIterator<Buffer>): Promise<OpenedBody> {
  const chunks: Buffer[] = []
  const found = { objects: 0, capabilities: new Set<string>() }
  let size = 0
  const read = createReader(found)
  for (;;) {
    // If the client has disconnected, reading the rest fails in the same way.
    const next = await body.next().catch((error: unknown) => {
      if (error instanceof GitHttpError) throw error
    })
    if (!next || next.done) break
    chunks.push(next.value)
    size += next.value.length
    if (read(next.value)) break
    if (size > commandBytes) throw new GitHttpError(413, 'Push at most 10,000 branches and tags at a time.')
  }
  return { ...found, body: together(chunks, body) }
}

/** Creates a reader of the body's chunks that returns true once the header is complete, and records what it found. */
function createReader(found: { objects: number; capabilities: Set<string> }): (chunk: Buffer) => boolean {
  let held: Buffer[] = []
  let size = 0
  let needed = headBytes
  let part: 'commands' | 'options' | 'pack' = 'commands'
  let bringsPack = false
  let [options, optionBytes] = [0, 0]

  function take(packet: Buffer): void {
    if (part === 'options') {
      optionBytes += packet.length
      if (++options > maxOptions || optionBytes > maxOptionBytes)
        throw new GitHttpError(413, pushOptionsRefusal)
      return
    }
    bringsPack ||= isUpdate(packet)
    const end = packet.indexOf(0)
    const words = end < 0 ? [] : packet.toString('latin1', end + 1).split(/[ \n=]/)
    for (const word of words) if (known.has(word)) found.capabilities.add(word)
  }

  /** Returns false if nothing follows. On a connection that stays open, waiting for more would never end. */
  function beginNext(): boolean {
    const hasOptions = part === 'commands' && found.capabilities.has('push-options')
    part = hasOptions ? 'options' : 'pack'
    return hasOptions || bringsPack
  }

  return chunk => {
    held.push(chunk)
    size += chunk.length
    if (size < needed) return false
    let bytes = Buffer.concat(held)
    const wait = (more: number): false => {
      held = [bytes]
      size = bytes.length
      needed = more
      return false
    }
    while (part !== 'pack') {
      if (bytes.length < headBytes) return wait(headBytes)
      const length = packetLength(bytes)
      if (length === undefined) return true
      if (bytes.length < length) return wait(length)
      const end = Math.max(headBytes, length)
      if (length >= headBytes) take(bytes.subarray(headBytes, end))
      else if (!beginNext()) return true
      bytes = bytes.subarray(end)
    }
    if (bytes.length < packHeadBytes) return wait(packHeadBytes)
    if (bytes.toString('latin1', 0, 4) === 'PACK') found.objects = bytes.readUInt32BE(8)
    return true
  }
}

const known: ReadonlySet<string> = new Set(['push-options', 'quiet', 'side-band-64k'])
const [headBytes, packHeadBytes] = [4, 12]

/**
 * Returns the length of a packet including its own four bytes; undefined if it is invalid. Less than four marks the
 * end of a list.
 */
function packetLength(bytes: Buffer): number | undefined {
  const text = bytes.toString('latin1', 0, headBytes)
  const length = /^[0-9a-f]{4}$/i.test(text) ? Number.parseInt(text, 16) : undefined
  return length === 3 ? undefined : length
}

/** Returns whether a command creates or updates a ref, rather than deletes it. */
function isUpdate(packet: Buffer): boolean {
  const [before = '', after = ''] = packet.toString('latin1', 0, 2 * 64 + 2).split(' ')
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
