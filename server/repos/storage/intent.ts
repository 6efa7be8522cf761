import { open, rm } from 'node:fs/promises'
import { makeDirectory, syncPath } from '@/server/kernel/fs/fsync'
import { intentPath, intentsFolder, type StorageConfig } from './paths'

/**
 * Notes that this repository is about to be made or removed, so that the sweep finds what a crash leaves behind:
 * a directory with a note and without a row. Without a note no directory is ever touched.
 */
export async function noteIntent(config: StorageConfig, storageKey: string): Promise<void> {
  await makeDirectory(intentsFolder(config))
  const file = await open(intentPath(config, storageKey), 'w')
  await file.sync()
  await file.close()
  await syncPath(intentsFolder(config))
}

/** Takes the note away: row and directory are both there, or both gone. */
export async function dropIntent(config: StorageConfig, storageKey: string): Promise<void> {
  await rm(intentPath(config, storageKey), { force: true })
}
