import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { Config } from '@/server/kernel/config'

export type StorageConfig = Pick<Config, 'repositoryDir'>

/** Makes a random key, 32 hex digits: where a repository's git data lies, whatever its name. */
export function newStorageKey(): string {
  return randomBytes(16).toString('hex')
}

/**
 * The directory of a bare repository.
 * @throws {Error} on anything but a key, so that a path never holds anything else.
 */
export function repositoryPath(config: StorageConfig, storageKey: string): string {
  const key = checkedKey(storageKey)
  return join(config.repositoryDir, key.slice(0, 2), `${key}.git`)
}

/** Where a repository is made before it is renamed into place. */
export const makingPath = (config: StorageConfig, storageKey: string): string =>
  join(config.repositoryDir, 'making', `${checkedKey(storageKey)}.git`)

/** Where repositories go to be deleted. */
export const trashFolder = (config: StorageConfig): string => join(config.repositoryDir, 'trash')

/** Holds one file for each repository that is being made or removed. */
export const intentsFolder = (config: StorageConfig): string => join(config.repositoryDir, 'intents')

export const intentPath = (config: StorageConfig, storageKey: string): string =>
  join(intentsFolder(config), checkedKey(storageKey))

/** Where the sweep moves an intent while deciding; an intent written by then keeps the original path. */
export const asideIntentPath = (config: StorageConfig, storageKey: string): string =>
  `${intentPath(config, storageKey)}.aside`

/** Holds one directory for each push under way; what a crash leaves there tells what was pushed. */
export const pushesFolder = (config: StorageConfig): string => join(config.repositoryDir, 'pushes')

export const pushPath = (config: StorageConfig, key: string): string =>
  join(pushesFolder(config), checkedKey(key))

export const hooksFolder = (config: StorageConfig): string => join(config.repositoryDir, 'hooks')

export const isStorageKey = (text: string): boolean => /^[0-9a-f]{32}$/.test(text)

function checkedKey(text: string): string {
  if (!isStorageKey(text)) throw new Error('not a storage key')
  return text
}
