import { createHash } from 'node:crypto'
import { pipeline, Readable } from 'node:stream'
import { createDeflate, deflateSync } from 'node:zlib'
import { parseCommit } from './commit'
import { durableConfig } from './environment'
import { type GitObject, isKept, keepObject } from './objects'
import { startWaiting } from './waiting'

/** The hash algorithm that names the objects of a repository. */
export type ObjectFormat = 'sha1' | 'sha256'

/** Bytes of a known number, in memory or in a file, which can be read several times. */
export interface Bytes {
  size: number
  read(): AsyncIterable<Buffer> | Iterable<Buffer>
}

export const bytesOf = (bytes: Buffer): Bytes => ({ size: bytes.length, read: () => [bytes] })

/** A Git object that is to be written. */
export interface NewObject {
  id: string
  type: 'commit' | 'tree' | 'blob'
  content: Bytes
}

/** Returns an object with its ID. */
export async function newObject(
  format: ObjectFormat,
  type: NewObject['type'],
  content: Bytes,
): Promise<NewObject> {
  const hash = createHash(format).update(`${type} ${content.size}\0`)
  for await (const chunk of content.read()) hash.update(chunk)
  return { id: hash.digest('hex'), type, content }
}

const settings = {
  ...durableConfig,
  // One flush for all objects instead of one for each.
  'core.fsyncMethod': 'batch',
}

/** A Git command that waits for objects of a repository. */
export interface ObjectWriter {
  /**
   * Writes objects, which Git flushes to disk.
   * @returns about how many bytes they take
   * @throws {GitError} if Git refuses one of them
   */
  write(objects: readonly NewObject[]): Promise<number>
  /** Ends the command if there is nothing to write. */
  close(): Promise<void>
}

/**
 * Starts one Git command that writes objects to a repository as soon as they are known. With `isChecked`, Git refuses
 * objects that are dangerous for those who check them out, but flushes each tree and commit by itself.
 */
export function startWriting(
  repository: string,
  format: ObjectFormat,
  { isChecked }: { isChecked: boolean },
): ObjectWriter {
  const args = ['unpack-objects', '-q', ...(isChecked ? ['--strict'] : [])]
  const git = startWaiting(args, { repository, settings })
  return {
    async write(objects) {
      const distinct = [...new Map(objects.map(object => [object.id, object])).values()]
      let bytes = 0
      async function* counted(): AsyncGenerator<Buffer> {
        for await (const chunk of packOf(format, distinct)) {
          bytes += chunk.length
          yield chunk
        }
      }
      await git.finish(counted())
      await keepInMemory(repository, distinct)
      return bytes
    },
    close: () => git.close(),
  }
}

// One commit must not drive out what is kept of all other repositories.
const maxKeptOfOne = 256 * 1024

// What is read next is what was written last: the commit for its event, and the trees for the next commit.
async function keepInMemory(repository: string, objects: readonly NewObject[]): Promise<void> {
  const trees = new Map<string, GitObject>()
  let room = maxKeptOfOne
  for (const { id: sha, type, content } of objects) {
    if (!isKept(content.size) || content.size > room) continue
    room -= content.size
    const object = { sha, type, text: await wholeOf(content), isWhole: true }
    if (type === 'tree') trees.set(sha, object)
    for (const name of [sha, `${sha}^{${type}}`]) keepObject(repository, name, object)
    if (type !== 'commit') continue
    const root = trees.get(parseCommit(object).tree)
    if (root) keepObject(repository, `${sha}^{tree}`, root)
  }
}

async function wholeOf(content: Bytes): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of content.read()) chunks.push(chunk)
  return Buffer.concat(chunks)
}

const types = { commit: 1, tree: 2, blob: 3 }

// Source: gitformat-pack(5).
async function* packOf(format: ObjectFormat, objects: readonly NewObject[]): AsyncGenerator<Buffer> {
  const hash = createHash(format)
  const header = Buffer.alloc(12)
  header.write('PACK')
  header.writeUInt32BE(2, 4)
  header.writeUInt32BE(objects.length, 8)
  hash.update(header)
  yield header
  for (const object of objects) {
    for await (const chunk of entryOf(object)) {
      hash.update(chunk)
      yield chunk
    }
  }
  yield hash.digest()
}

// Compressing this much takes less time than handing it to another thread.
const maxInline = 16 * 1024
// Git compresses loose objects again.
const level = 1

async function* entryOf({ type, content }: NewObject): AsyncGenerator<Buffer> {
  yield entryHeader(types[type], content.size)
  if (content.size > maxInline) {
    const deflate = createDeflate({ level })
    pipeline(Readable.from(content.read()), deflate, () => undefined)
    yield* deflate as AsyncIterable<Buffer>
    return
  }
  yield deflateSync(await wholeOf(content), { level })
}

// Sizes are written with four bits in the first byte and seven in each of the others, the lowest first.
function entryHeader(type: number, size: number): Buffer {
  const bytes = [(type << 4) | (size & 15)]
  for (let rest = Math.floor(size / 16); rest > 0; rest = Math.floor(rest / 128)) {
    bytes[bytes.length - 1] = (bytes.at(-1) ?? 0) | 0x80
    bytes.push(rest & 127)
  }
  return Buffer.from(bytes)
}
