import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Limiter } from '../../concurrency-limit'
import { makeDirectory, syncPath } from '../../fs/fsync'
import { meter } from '../meter'
import type { PutPartOptions } from '../types'
import type { BackgroundSync } from './background-sync'

const mib = 1024 * 1024
const syncEvery = 32 * mib

export interface Disk {
  /** Wraps every file system call: logs errors and turns them into errors for clients. */
  asking<T>(call: Promise<T>): Promise<T>
  /**
   * Limits slow calls, because each one occupies one of the four threads that other file access and password
   * hashing also need.
   */
  syncing: Limiter
  background: BackgroundSync
}

/** Returns the temporary path of a file that is still being written. */
export const partialOf = (path: string): string => `${path}.partial`

/**
 * Writes a file atomically, creating its directory if necessary, and returns the file's size in bytes. The
 * file gets its final name after it is flushed to disk with fsync. With `isNew`, it gets the name as soon as
 * it is complete and is flushed in the background.
 */
export async function writeFileWhole(
  path: string,
  source: AsyncIterable<Uint8Array>,
  options: PutPartOptions,
  disk: Disk,
): Promise<number> {
  const { asking, syncing, background } = disk
  await asking(makeDirectory(dirname(path)))
  const partial = partialOf(path)
  const file = await asking(open(partial, 'w', 0o600))
  try {
    const size = await fill(file, source, options, disk)
    if (options.isNew) {
      await asking(rename(partial, path))
      await asking(background.begin(path, file))
      return size
    }
    await syncing(() => asking(file.sync()))
    await file.close()
    await asking(rename(partial, path))
    await asking(syncPath(dirname(path)))
    return size
  } catch (error) {
    await file.close().catch(() => undefined)
    await rm(partial, { force: true })
    throw error
  }
}

// Reads the next block while one is written, and flushes early. Otherwise the final sync would take as long as
// all the writes together, and would block other syncs.
async function fill(
  file: FileHandle,
  source: AsyncIterable<Uint8Array>,
  options: PutPartOptions,
  { asking, syncing }: Disk,
): Promise<number> {
  const { blocks, size } = meter(source, options, mib)
  let writing: Promise<void> | undefined
  let early: Promise<void> | undefined
  let unsynced = 0
  try {
    for await (const block of blocks) {
      await writing
      writing = asking(writeWhole(file, block))
      writing.catch(() => undefined)
      unsynced += block.reduce((sum, chunk) => sum + chunk.byteLength, 0)
      if (early || unsynced < syncEvery) continue
      unsynced = 0
      // A failed sync remains in `early`, because the system reports the error only once.
      early = syncing(() => asking(file.datasync())).then(() => {
        early = undefined
      })
      early.catch(() => undefined)
    }
  } finally {
    // The file must not be closed while these operations are running.
    await Promise.allSettled([writing, early])
  }
  await Promise.all([writing, early])
  return size()
}

// `writev` may write fewer bytes than requested.
async function writeWhole(file: FileHandle, block: Uint8Array[]): Promise<void> {
  for (let rest = block; rest.length > 0; ) {
    let { bytesWritten: written } = await file.writev(rest)
    const next: Uint8Array[] = []
    for (const chunk of rest) {
      if (written < chunk.byteLength) next.push(written > 0 ? chunk.subarray(written) : chunk)
      written = Math.max(0, written - chunk.byteLength)
    }
    rest = next
  }
}
