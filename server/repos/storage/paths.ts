import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { Config } from '@/server/kernel/config'

export type StorageConfig = Pick<Config, 'repositoryDir'>

/**
 * Creates a random key of 32 hex digits that determines where a repository's Git data is stored, independent
 * of the repository's name.
 */
export function newStorageKey(): string {
  return randomBytes(16).toString('hex')
}

/**
 * Returns the directory of a bare repository.
 * @throws {Error} if the key is not a storage key of 32 hex digits, to prevent path traversal.
 */
export function repositoryPath(config: StorageConfig, storageKey: string): string {
  const key = checkedKey(storageKey)
  return join(config.repositoryDir, key.slice(0, 2), `${key}.git`)
}

/** Returns the directory in which a repository is created before it is renamed into place. */
export const makingPath = (config: StorageConfig, storageKey: string): string =>
  join(config.repositoryDir, 'making', `${checkedKey(storageKey)}.git`)

/**
 * Returns the directory to which repositories are moved before their files are deleted, and where files of request bodies
 * have a name for a moment. The cleanup job empties it.
 */
export const trashFolder = (config: StorageConfig): string => join(config.repositoryDir, 'trash')

/**
 * Returns the directory of intent files, each of which marks a repository whose creation or deletion is
 * unfinished.
 */
export const intentsFolder = (config: StorageConfig): string => join(config.repositoryDir, 'intents')

export const intentPath = (config: StorageConfig, storageKey: string): string =>
  join(intentsFolder(config), checkedKey(storageKey))

/**
 * Returns the path to which the cleanup job renames an intent file, which marks an unfinished creation or
 * deletion, while it checks the repository. An intent file written concurrently uses the original path.
 */
export const asideIntentPath = (config: StorageConfig, storageKey: string): string =>
  `${intentPath(config, storageKey)}.aside`

/**
 * Returns the spool directory, with one subdirectory for each push that is in progress. After a crash, the
 * subdirectories contain the data needed to record the pushes.
 */
export const pushesFolder = (config: StorageConfig): string => join(config.repositoryDir, 'pushes')

export const pushPath = (config: StorageConfig, key: string): string =>
  join(pushesFolder(config), checkedKey(key))

export const hooksFolder = (config: StorageConfig): string => join(config.repositoryDir, 'hooks')

export const isStorageKey = (text: string): boolean => /^[0-9a-f]{32}$/.test(text)

function checkedKey(text: string): string {
  if (!isStorageKey(text)) throw new Error('not a storage key')
  return text
}
