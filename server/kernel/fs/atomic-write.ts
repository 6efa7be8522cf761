import { randomBytes } from 'node:crypto'
import { type FileHandle, link, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { syncPath } from './fsync'

export interface AtomicWriteOptions {
  /** Whether to replace an existing file. If false, an existing file is kept and EEXIST is thrown. */
  replace?: boolean
  /** Whether everyone can read and run the file, as Git hooks require. */
  executable?: boolean
}

/**
 * Writes a file atomically and durably, readable only by its owner by default. The content is flushed with
 * fsync before the file gets its final name, and the directory afterward. The directory must exist.
 */
export async function writeFileAtomic(
  path: string,
  content: string | Uint8Array,
  options?: AtomicWriteOptions,
): Promise<void> {
  await writeStreamAtomic(path, sink => pipeline([content], sink), options)
}

/**
 * Writes a file from a stream, with the same guarantees as `writeFileAtomic`. `write` must resolve after it
 * has ended `sink`; its result is returned. If it throws, no file remains.
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

// Node's own file stream closes the file before it can be synced, or while a write is still active.
function writableTo(file: FileHandle): Writable {
  const sink = new Writable({
    write: (chunk: Buffer, _encoding, done) => void file.writeFile(chunk).then(() => done(), done),
    writev: (chunks, done) => {
      const bytes = Buffer.concat(chunks.map(({ chunk }) => chunk as Buffer))
      void file.writeFile(bytes).then(() => done(), done)
    },
  })
  // The error is also reported to the code that pipes into the stream.
  sink.on('error', () => undefined)
  return sink
}
