import { randomBytes } from 'node:crypto'
import { rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { makeDirectory } from '@/server/kernel/fs/fsync'
import { dropIntent, noteIntent } from './intent'
import { repositoryPath, type StorageConfig, trashFolder } from './paths'

/**
 * Says that a repository's row is about to be deleted; call it before, so that a crash between the two leaves
 * nothing behind. When the row stays after all, the sweep forgets the intent.
 */
export async function intendRemoval(config: StorageConfig, storageKey: string): Promise<void> {
  await noteIntent(config, storageKey)
}

/** Removes a repository from the disk; call it once its row is gone. One that is not there is fine. */
export async function removeBareRepository(config: StorageConfig, storageKey: string): Promise<void> {
  const trashed = await moveToTrash(config, storageKey)
  await dropIntent(config, storageKey)
  if (trashed) await rm(trashed, { recursive: true, force: true })
}

/** Takes a repository out of its place in one step; gives where it is now, undefined when there was none. */
export async function moveToTrash(config: StorageConfig, storageKey: string): Promise<string | undefined> {
  const place = repositoryPath(config, storageKey)
  await makeDirectory(trashFolder(config))
  const trashed = join(trashFolder(config), `${storageKey}-${randomBytes(4).toString('hex')}`)
  try {
    await rename(place, trashed)
    return trashed
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
