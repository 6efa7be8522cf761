import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { undefinedIfAbsent } from '@/server/kernel/fs/absent'

/** Returns the total size of a repository's object files in KiB, rounded up. */
export async function sizeKib(repository: string): Promise<number> {
  return Math.ceil((await bytesBelow(join(repository, 'objects'))) / 1024)
}

// The smallest number of bytes that a pack index uses per object.
const indexBytes = 28

/**
 * Estimates the number of packed objects from the sizes of the pack indexes. The estimate is never too low.
 */
export async function countPackedObjects(repository: string): Promise<number> {
  const folder = packFolder(repository)
  const indexes = await packsOf(repository)
  const found = await Promise.all(indexes.map(name => stat(join(folder, name)).catch(undefinedIfMissing)))
  return Math.ceil(found.reduce((bytes, file) => bytes + (file?.size ?? 0), 0) / indexBytes)
}

const packFolder = (repository: string): string => join(repository, 'objects', 'pack')

/** Returns the names of the index files of a repository's packs. */
export async function packsOf(repository: string): Promise<string[]> {
  const names = (await readdir(packFolder(repository)).catch(undefinedIfMissing)) ?? []
  return names.filter(name => name.endsWith('.idx'))
}

async function bytesBelow(path: string): Promise<number> {
  const entries = await readdir(path, { withFileTypes: true }).catch(undefinedIfMissing)
  let bytes = 0
  for (const entry of entries ?? []) {
    const inside = join(path, entry.name)
    if (entry.isDirectory()) bytes += await bytesBelow(inside)
    else bytes += (await stat(inside).catch(undefinedIfMissing))?.size ?? 0
  }
  return bytes
}

// Git can repack and delete files meanwhile, and can replace a directory with a file.
function undefinedIfMissing(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOTDIR') return undefinedIfAbsent(error)
}
