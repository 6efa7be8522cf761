import { randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { link, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Writable } from 'node:stream'

/**
 * Writes a file that only its owner may read, and that appears under its name whole or not at all:
 * synced before it gets the name, and the name synced too. Without `replace` it throws EEXIST when the name is taken.
 */
export async function writeFileAtomic<T>(
  path: string,
  write: (sink: Writable) => Promise<T>,
  { replace = true } = {},
): Promise<T> {
  const partial = `${path}.${randomBytes(4).toString('hex')}.partial`
  const file = await open(partial, 'wx', 0o600)
  try {
    // By number: the handle would wait for a stream of its own to close, and the sync comes before that.
    const result = await write(createWriteStream(partial, { fd: file.fd, autoClose: false }))
    await file.sync()
    await file.close()
    await (replace ? rename(partial, path) : link(partial, path))
    await syncDirectory(dirname(path))
    return result
  } finally {
    await file.close()
    await rm(partial, { force: true })
  }
}

async function syncDirectory(path: string): Promise<void> {
  const directory = await open(path, 'r')
  try {
    await directory.sync()
  } finally {
    await directory.close()
  }
}
