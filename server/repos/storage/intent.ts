import { rm } from 'node:fs/promises'
import { makeDirectory, syncPath, writeFileSynced } from '@/server/kernel/fs/fsync'
import { intentPath, intentsFolder, type StorageConfig } from './paths'

/**
 * Writes an intent file, which marks a repository that is about to be created or deleted. After a crash, the
 * cleanup job removes the directories of repositories that have an intent file but no database row. If the
 * database row exists, the job deletes only the intent file.
 */
export async function noteIntent(config: StorageConfig, storageKey: string): Promise<void> {
  await makeDirectory(intentsFolder(config))
  // The file name contains all the information, so an interrupted write cannot leave it incomplete.
  await writeFileSynced(intentPath(config, storageKey), '')
  await syncPath(intentsFolder(config))
}

/**
 * Deletes the intent file that marks a repository's unfinished creation or deletion. Call this when the
 * repository's database row and directory either both exist or are both deleted.
 */
export async function dropIntent(config: StorageConfig, storageKey: string): Promise<void> {
  await rm(intentPath(config, storageKey), { force: true })
}
