import { createHash } from 'node:crypto'
import { pipeline, Readable } from 'node:stream'
import { createDeflate, deflateSync } from 'node:zlib'
import { parseCommit } from './commit'
import { durableConfig } from './environment'
import { writeLooseObjects } from './loose-objects'
import { type NewObject, type ObjectFormat, wholeOf } from './new-object'
import { type GitObject, isKept, keepObject } from './objects'
import { runGit } from './run'

const settings = {
  ...durableConfig,
  // One flush for all objects instead of one for each.
  'core.fsyncMethod': 'batch',
}

/**
 * Writes objects to a repository and flushes them to disk. With `isChecked`, Git refuses those that are dangerous for
 * people who check them out.
 * @returns about how many bytes they take
 * @throws {GitError} if Git refuses one of them
 */
export async function writeObjects(
  repository: string,
  format: ObjectFormat,
  objects: readonly NewObject[],
  { isChecked }: { isChecked: boolean },
): Promise<number> {
  const distinct = [...new Map(objects.map(object => [object.id, object])).values()]
  const isSmall = distinct.length <= maxLoose && totalOf(distinct) <= maxLooseBytes
  const bytes =
    isSmall && !isChecked
      ? await writeLooseObjects(repository, distinct)
      : await unpack(repository, format, distinct, isChecked)
  await keepInMemory(repository, distinct)
  return bytes
}

// Starting Git takes longer than writing so few files. Git flushes many files at once.
const maxLoose = 16
const maxLooseBytes = 1024 * 1024

const totalOf = (objects: readonly NewObject[]): number =>
  objects.reduce((sum, { content }) => sum + content.size, 0)

async function unpack(
  repository: string,
  format: ObjectFormat,
  objects: readonly NewObject[],
  isChecked: boolean,
): Promise<number> {
  let bytes = 0
  async function* counted(): AsyncGenerator<Buffer> {
    for await (const chunk of packOf(format, objects)) {
      bytes += chunk.length
      yield chunk
    }
  }
  const args = ['unpack-objects', '-q', ...(isChecked ? ['--strict'] : [])]
  await runGit(args, { repository, settings, input: Readable.from(counted()) })
  return bytes
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
