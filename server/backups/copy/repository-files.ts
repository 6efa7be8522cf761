import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, open, readdir, readFile, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { describeFailure } from '@/server/kernel/describe-failure'
import { undefinedIfAbsent } from '@/server/kernel/fs/absent'
import { isRefName } from '@/server/kernel/git/ref-name'
import { readGit } from '@/server/kernel/git/run'
import type { NewFile } from './store-files'

/** A file of a repository. Unless it has a digest, its path determines its content. */
export interface RepositoryFile extends NewFile {
  sha256?: string
}

/** Thrown if a file vanished that was listed before, because the repository was repacked in the meantime. */
export class Vanished extends Error {}

/** Thrown if a repository is damaged, with a message that continues "the repository …". */
export class Unreadable extends Error {
  constructor(cause: unknown) {
    super(`cannot be read: ${describeFailure(cause)}`, { cause })
  }
}

// The files of a pack. Bitmaps and the like are created again by the next maintenance.
const packSuffixes = ['.pack', '.rev', '.idx']

/**
 * Lists what a copy of a repository consists of: its refs as one file, its configuration, and its objects. The
 * objects are listed before and after the refs are read, so that if all of them can be copied, they include
 * everything that the refs reach: what a concurrent repacking moves is in files of the second listing, or a
 * file of the first one vanishes.
 * @throws {Unreadable} if Git or the disk cannot read it
 */
export async function listRepository(
  repository: string,
  defaultBranch: string,
  refsFile: string,
): Promise<RepositoryFile[]> {
  try {
    return await listFiles(repository, defaultBranch, refsFile)
  } catch (cause) {
    throw new Unreadable(cause)
  }
}

async function listFiles(
  repository: string,
  defaultBranch: string,
  refsFile: string,
): Promise<RepositoryFile[]> {
  const before = await listObjects(repository)
  const refs = await readRefs(repository, refsFile)
  const objects = new Map([...before, ...(await listObjects(repository))])
  const config = await readFile(join(repository, 'config'))
  const head = isRefName(defaultBranch)
    ? Buffer.from(`ref: refs/heads/${defaultBranch}\n`)
    : await readFile(join(repository, 'HEAD'))
  return [
    inMemory('HEAD', head),
    inMemory('config', config),
    refs,
    ...Array.from(objects, ([path, size]) => ({
      path,
      size,
      open: () => openListed(join(repository, path)),
    })),
  ]
}

function inMemory(path: string, bytes: Buffer): RepositoryFile {
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  return { path, size: bytes.length, sha256, open: async () => chunkOf(bytes) }
}

async function* chunkOf(bytes: Buffer): AsyncGenerator<Buffer> {
  yield bytes
}

// Git sorts refs in its list and in this file in the same way.
export const refsHeader = '# pack-refs with: sorted \n'

/** Writes all refs to a temporary file in Git's own format, in which they can be restored as they are. */
async function readRefs(repository: string, file: string): Promise<RepositoryFile> {
  const hash = createHash('sha256')
  const handle = await open(file, 'w', 0o600)
  let size = 0
  let writing = Promise.resolve()
  const write = (chunk: Buffer): void => {
    hash.update(chunk)
    size += chunk.length
    writing = writing.then(async () => void (await handle.writeFile(chunk)))
    writing.catch(() => undefined)
  }
  try {
    write(Buffer.from(refsHeader))
    await readGit(['for-each-ref', '--format=%(objectname) %(refname)'], { repository }, write)
    await writing
  } finally {
    await handle.close()
  }
  return { path: 'packed-refs', size, sha256: hash.digest('hex'), open: async () => createReadStream(file) }
}

async function openListed(path: string): Promise<AsyncIterable<Uint8Array>> {
  const file = await open(path, 'r').catch(error => {
    throw error.code === 'ENOENT' ? new Vanished() : new Unreadable(error)
  })
  return contentOf(file)
}

async function* contentOf(file: FileHandle): AsyncGenerator<Uint8Array> {
  const chunks = file.createReadStream({ highWaterMark: 1024 * 1024 })
  try {
    yield* chunks
  } catch (cause) {
    throw new Unreadable(cause)
  }
}

/** Returns the sizes of the packs' and loose objects' files by path. */
async function listObjects(repository: string): Promise<Map<string, number>> {
  const sizes = new Map<string, number>()
  const note = async (path: string): Promise<void> => {
    const facts = await stat(join(repository, path)).catch(undefinedIfAbsent)
    if (facts) sizes.set(path, facts.size)
  }
  for (const folder of await namesIn(join(repository, 'objects'))) {
    if (!/^([0-9a-f]{2}|pack)$/.test(folder)) continue
    for (const name of await namesIn(join(repository, 'objects', folder))) {
      if (folder !== 'pack') {
        if (/^[0-9a-f]{38,62}$/.test(name)) await note(`objects/${folder}/${name}`)
      } else if (/^pack-[0-9a-f]+\.idx$/.test(name)) {
        // Git writes the index last, so the others are complete.
        for (const suffix of packSuffixes) await note(`objects/pack/${name.replace(/\.idx$/, suffix)}`)
      }
    }
  }
  return sizes
}

async function namesIn(folder: string): Promise<string[]> {
  return (await readdir(folder).catch(undefinedIfAbsent)) ?? []
}
