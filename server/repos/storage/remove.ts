import { randomBytes } from 'node:crypto'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { undefinedIfAbsent } from '@/server/kernel/fs/absent'
import { makeDirectory } from '@/server/kernel/fs/fsync'
import { forgetObjects } from '@/server/kernel/git/objects'
import { dropIntent } from './intent'
import { repositoryPath, type StorageConfig, trashFolder } from './paths'

/** Removes a repository and its intent file from disk after its row is deleted. Idempotent. */
export async function removeBareRepository(config: StorageConfig, storageKey: string): Promise<void> {
  const trashed = await moveToTrash(config, storageKey)
  await dropIntent(config, storageKey)
  if (trashed) await rm(trashed, { recursive: true, force: true })
}

/**
 * Atomically moves a repository to the trash directory. Returns its new path, or undefined if it does not
 * exist.
 */
export async function moveToTrash(config: StorageConfig, storageKey: string): Promise<string | undefined> {
  const directory = repositoryPath(config, storageKey)
  await makeDirectory(trashFolder(config))
  forgetObjects(directory)
  const trashed = join(trashFolder(config), `${storageKey}-${randomBytes(4).toString('hex')}`)
  return await rename(directory, trashed).then(() => trashed, undefinedIfAbsent)
}
