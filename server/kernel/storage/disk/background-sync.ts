import { type FileHandle, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import type { Limiter } from '../../concurrency-limit'
import { syncPath } from '../../fs/fsync'

/** Makes files durable after they were written, so that nobody waits for each one. */
export interface BackgroundSync {
  /**
   * Begins to sync a file that is complete, and closes it then. Resolves at once, unless many files wait. A file that
   * cannot be synced is deleted, because the system reports the error only once.
   */
  begin(path: string, file: FileHandle): Promise<void>
  /** Resolves when these files of a folder are durable, whichever process wrote them. Throws the error of the system. */
  finish(folder: string, names: Iterable<string>): Promise<void>
  /** Forgets what is known about a folder. */
  forget(folder: string): void
}

const mostWaiting = 16
const mostFolders = 1000

export function createBackgroundSync(syncing: Limiter): BackgroundSync {
  // The files that this process wrote, the most recent folder last. Files of forgotten folders are synced again.
  const folders = new Map<string, Map<string, Promise<void>>>()
  let waiting = 0

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
      const [oldest] = folders.keys()
      if (folders.size > mostFolders && oldest !== undefined) folders.delete(oldest)
      const synced = sync(path, file)
      synced.catch(() => undefined)
      files.set(basename(path), synced)
      if (waiting > mostWaiting) await synced
    },

    async finish(folder, names) {
      const known = folders.get(folder)
      const synced = (name: string) => known?.get(name) ?? syncing(() => syncPath(join(folder, name)))
      await Promise.all(Array.from(names, synced))
    },

    forget: folder => void folders.delete(folder),
  }
}
