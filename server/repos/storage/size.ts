import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** What the repository's objects take on the disk, in KiB rounded up: the lengths of their files. */
export async function sizeKib(repository: string): Promise<number> {
  return Math.ceil((await bytesBelow(join(repository, 'objects'))) / 1024)
}

// The least of what the index of a pack has for each object.
const indexBytes = 28

/** How many objects the repository's packs hold, or a few more, told by the lengths of their indexes. */
export async function countPackedObjects(repository: string): Promise<number> {
  const folder = join(repository, 'objects', 'pack')
  const names = (await readdir(folder).catch(nothingIfGone)) ?? []
  const indexes = names.filter(name => name.endsWith('.idx'))
  const found = await Promise.all(indexes.map(name => stat(join(folder, name)).catch(nothingIfGone)))
  return Math.ceil(found.reduce((bytes, file) => bytes + (file?.size ?? 0), 0) / indexBytes)
}

async function bytesBelow(path: string): Promise<number> {
  // Git packs and deletes while we look; what is gone takes no room.
  const entries = await readdir(path, { withFileTypes: true }).catch(nothingIfGone)
  let bytes = 0
  for (const entry of entries ?? []) {
    const inside = join(path, entry.name)
    if (entry.isDirectory()) bytes += await bytesBelow(inside)
    else bytes += (await stat(inside).catch(nothingIfGone))?.size ?? 0
  }
  return bytes
}

function nothingIfGone(error: NodeJS.ErrnoException): undefined {
  if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error
}
