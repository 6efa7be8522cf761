import { rm } from 'node:fs/promises'
import { makeDirectory, syncPath, writeFileSynced } from '@/server/kernel/fs/fsync'
import { intentPath, intentsFolder, type StorageConfig } from './paths'

/**
 * Notes that a repository is about to be made, or that its row is about to be deleted. The sweep removes directories that
 * have an intent and no row, and touches no others; where the row stays, it drops the intent.
 */
export async function noteIntent(config: StorageConfig, storageKey: string): Promise<void> {
  await makeDirectory(intentsFolder(config))
  // Its name says all there is, so that it cannot be half there.
  await writeFileSynced(intentPath(config, storageKey), '')
  await syncPath(intentsFolder(config))
}

/** Drops an intent once row and directory are both there, or both gone. */
export async function dropIntent(config: StorageConfig, storageKey: string): Promise<void> {
  await rm(intentPath(config, storageKey), { force: true })
}
