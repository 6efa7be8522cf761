import { readdir, stat } from 'node:fs/promises'
import { join } from 'node:path'

/** What the repository's objects take on the disk, in KiB rounded up: the lengths of their files. */
export async function sizeKib(repository: string): Promise<number> {
  return Math.ceil((await bytesBelow(join(repository, 'objects'))) / 1024)
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
