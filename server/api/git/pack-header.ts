import { pushOptionsRefusal } from '@/server/repos/push'
import { GitHttpError } from './errors'

/** Of what a push says before its pack: the ten thousand refs that it may change take less, also with long names. */
export const commandBytes = 8 * 1024 * 1024

// The hook refuses fewer than these in words that every client shows. Git would hold more in memory, and could not start it.
const [maxOptions, maxOptionBytes] = [1000, 1024 * 1024]

/** The body of a push, of which the beginning was read. */
export interface OpenedBody {
  /** How many objects the pack in it says it has; zero when there is none, or nothing sensible to read. */
  objects: number
  /** What the client says of itself, as far as it matters here. */
  capabilities: ReadonlySet<string>
  /** All of the body, with what was read already. */
  body: AsyncIterable<Buffer>
}

/**
 * Reads the body of a push up to the header of its pack: the refs to change, each in a packet with its length in front,
 * a packet of no length, the options of the push in the same way where the client says that it sends them, then the pack,
 * unless refs are only deleted. What is wrong with it is for git to say.
 * @throws {GitHttpError} when it comes too slowly, and for more refs or options than there may be, all of which git would
 * hold in memory.
 */
export async function openPushBody(body: AsyncIterator<Buffer>): Promise<OpenedBody> {
  const chunks: Buffer[] = []
  const found = { objects: 0, capabilities: new Set<string>() }
  let size = 0
  const read = createReader(found)
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
  return { ...found, body: together(chunks, body) }
}

/** Creates a reader of the body's pieces that is true once it knows, and notes what it found. */
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

  /** False once nothing follows. Over a connection that stays open, waiting for more would be for ever. */
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

/** With its own four bytes. Less than that marks the end of a list; undefined where it is no length. */
function packetLength(bytes: Buffer): number | undefined {
  const text = bytes.toString('latin1', 0, headBytes)
  const length = /^[0-9a-f]{4}$/i.test(text) ? Number.parseInt(text, 16) : undefined
  return length === 3 ? undefined : length
}

/** Whether a ref is to lead to an object, rather than to be deleted. */
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
