import { type FileHandle, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Limiter } from '../../concurrency-limit'
import { syncPath } from '../../fs/fsync'

/** Flushes written files to disk with fsync in the background, so that requests do not wait for each file. */
export interface BackgroundSync {
  /**
   * Starts to sync a complete file, and closes it afterward. Resolves immediately, unless many files are
   * waiting. A file that cannot be synced is deleted, because the system reports the error only once.
   */
  begin(path: string, file: FileHandle): Promise<void>
  /**
   * Resolves when these files of a folder are durable, no matter which process wrote them.
   * @throws the system error of a file that could not be synced
   */
  finish(folder: string, names: Iterable<string>): Promise<void>
  /** Discards what is known about a folder. */
  forget(folder: string): void
}

const mostWaiting = 16
const mostKnown = 100_000

export function createBackgroundSync(syncing: Limiter): BackgroundSync {
  // The files that this process wrote, the most recent folder last. Files of discarded folders are synced
  // again.
  const folders = new Map<string, Map<string, Promise<void>>>()
  let known = 0
  let waiting = 0

  function forget(folder: string): void {
    known -= folders.get(folder)?.size ?? 0
    folders.delete(folder)
  }

  async function sync(path: string, file: FileHandle): Promise<void> {
    waiting++
    try {
      await syncing(() => file.sync())
    } catch (error) {
      await rm(path, { force: true })
      throw error
    } finally {
      waiting--
      await file.close()
    }
  }

  return {
    async begin(path, file) {
      const folder = dirname(path)
      const files = folders.get(folder) ?? new Map<string, Promise<void>>()
      folders.delete(folder)
      folders.set(folder, files)
      const synced = sync(path, file)
      synced.catch(() => undefined)
      files.set(basename(path), synced)
      known++
      const [oldest] = folders.keys()
      if (known > mostKnown && oldest !== undefined) forget(oldest)
      if (waiting > mostWaiting) await synced
    },

    async finish(folder, names) {
      const files = folders.get(folder)
      const synced = (name: string) => files?.get(name) ?? syncing(() => syncPath(join(folder, name)))
      await Promise.all(Array.from(names, synced))
    },

    forget,
  }
}
