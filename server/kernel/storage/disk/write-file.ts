import { type FileHandle, open, rename, rm } from 'node:fs/promises'
import { dirname } from 'node:path'
import type { Limiter } from '../../concurrency-limit'
import { makeDirectory, syncPath } from '../../fs/fsync'
import { meter } from '../meter'
import type { PutPartOptions, StoredObject } from '../types'

const mib = 1024 * 1024
const syncEvery = 32 * mib

export interface Disk {
  /** Goes around every call on it. */
  asking<T>(call: Promise<T>): Promise<T>
  /** Runs what may take seconds, few at once: each holds one of the four threads that also files and passwords need. */
  syncing: Limiter
}

/** What a file is called until it is whole. */
export const partialOf = (path: string): string => `${path}.partial`

/** Writes a file, and makes its folder, so that it appears under its name when all of it is on the disk, or not at all. */
export async function writeFileWhole(
  path: string,
  source: AsyncIterable<Uint8Array>,
  options: PutPartOptions,
  disk: Disk,
): Promise<StoredObject> {
  const { asking, syncing } = disk
  await asking(makeDirectory(dirname(path)))
  const partial = partialOf(path)
  const file = await asking(open(partial, 'w', 0o600))
  try {
    const stored = await fill(file, source, options, disk)
    await syncing(() => asking(file.sync()))
    await file.close()
    await asking(rename(partial, path))
    await asking(syncPath(dirname(path)))
    return stored
  } catch (error) {
    await file.close().catch(() => undefined)
    await rm(partial, { force: true })
    throw error
  }
}

// While a block is written the next one comes and is hashed, and the disk gets what came before: otherwise the sync at the
// end would take as long as all of it, and hold up whoever else syncs.
async function fill(
  file: FileHandle,
  source: AsyncIterable<Uint8Array>,
  options: PutPartOptions,
  { asking, syncing }: Disk,
): Promise<StoredObject> {
  const { blocks, stored } = meter(source, options, mib)
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
      // One that failed stays: the system tells of it once.
      early = syncing(() => asking(file.datasync())).then(() => {
        early = undefined
      })
      early.catch(() => undefined)
    }
  } finally {
    // The file must not be closed under them.
    await Promise.allSettled([writing, early])
  }
  await Promise.all([writing, early])
  return stored()
}

// The system may write less than it is given.
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
