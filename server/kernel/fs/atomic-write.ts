import { randomBytes } from 'node:crypto'
import { createWriteStream } from 'node:fs'
import { link, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { syncPath } from './fsync'

export interface AtomicWriteOptions {
  /** False: throws EEXIST, and leaves the file, when the name is taken. */
  replace?: boolean
  /** Everybody may read and run it, as git's hooks must be. */
  executable?: boolean
}

/**
 * Writes a file that only its owner may read, and that appears under its name whole or not at all: synced before it gets
 * the name, and the name synced too. The directory must exist.
 */
export async function writeFileAtomic(
  path: string,
  content: string | Uint8Array,
  options?: AtomicWriteOptions,
): Promise<void> {
  await writeStreamAtomic(path, sink => pipeline([content], sink), options)
}

/**
 * Writes a file as `writeFileAtomic` does, from a stream. `write` resolves once it has ended `sink`; its result is passed
 * on. When it throws, nothing stays.
 */
export async function writeStreamAtomic<T>(
  path: string,
  write: (sink: Writable) => Promise<T>,
  { replace = true, executable = false }: AtomicWriteOptions = {},
): Promise<T> {
  const partial = `${path}.${randomBytes(4).toString('hex')}.partial`
  const file = await open(partial, 'wx', 0o600)
  try {
    if (executable) await file.chmod(0o755)
    // By number: the handle would wait for a stream of its own to close, and the sync comes before that.
    const result = await write(createWriteStream(partial, { fd: file.fd, autoClose: false }))
    await file.sync()
    await file.close()
    await (replace ? rename(partial, path) : link(partial, path))
    await syncPath(dirname(path))
    return result
  } finally {
    await file.close()
    await rm(partial, { force: true })
  }
}
