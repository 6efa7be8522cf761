import { rm } from 'node:fs/promises'
import { makeDirectory, syncPath, writeFileSynced } from '@/server/kernel/fs/fsync'
import { intentPath, intentsFolder, type StorageConfig } from './paths'

/**
 * Writes an intent file, which records that a repository is about to be created or its row about to be
 * deleted. The cleanup job removes only directories with an intent and no row. If the row exists, it drops
 * the intent instead.
 */
export async function noteIntent(config: StorageConfig, storageKey: string): Promise<void> {
  await makeDirectory(intentsFolder(config))
  // The file name contains all the information, so an interrupted write cannot leave it incomplete.
  await writeFileSynced(intentPath(config, storageKey), '')
  await syncPath(intentsFolder(config))
}

/** Removes an intent file when the repository's row and directory either both exist or are both deleted. */
export async function dropIntent(config: StorageConfig, storageKey: string): Promise<void> {
  await rm(intentPath(config, storageKey), { force: true })
}
