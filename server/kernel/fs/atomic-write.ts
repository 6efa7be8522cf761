import { randomBytes } from 'node:crypto'
import { type FileHandle, link, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Writable } from 'node:stream'
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
  const sink = writableTo(file)
  try {
    if (executable) await file.chmod(0o755)
    const result = await write(sink)
    if (sink.errored) throw sink.errored
    await file.sync()
    await file.close()
    await (replace ? rename(partial, path) : link(partial, path))
    await syncPath(dirname(path))
    return result
  } finally {
    sink.destroy()
    await file.close()
    await rm(partial, { force: true })
  }
}

// A stream of Node's own closes the file before it can be synced, or under a write that is still going on.
function writableTo(file: FileHandle): Writable {
  const sink = new Writable({
    write: (chunk: Buffer, _encoding, done) => void file.writeFile(chunk).then(() => done(), done),
    writev: (chunks, done) => {
      const bytes = Buffer.concat(chunks.map(({ chunk }) => chunk as Buffer))
      void file.writeFile(bytes).then(() => done(), done)
    },
  })
  // Also told to whoever pipes into it.
  sink.on('error', () => undefined)
  return sink
}
