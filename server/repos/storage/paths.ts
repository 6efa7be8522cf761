import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { Config } from '@/server/kernel/config'

export type StorageConfig = Pick<Config, 'repositoryDir'>

/** A key for a new repository: where its git data lies, whatever it or its owner is called later. */
export function newStorageKey(): string {
  return randomBytes(16).toString('hex')
}

/** The bare repository's directory. Throws on what is no key, so that a path never holds anything else. */
export function repositoryPath(config: StorageConfig, storageKey: string): string {
  const key = checkedKey(storageKey)
  return join(config.repositoryDir, key.slice(0, 2), `${key}.git`)
}

/** Where repositories are before they are in their place. */
export const makingPath = (config: StorageConfig, storageKey: string): string =>
  join(config.repositoryDir, 'making', `${checkedKey(storageKey)}.git`)

/** What is to be deleted; nothing in it is needed. */
export const trashFolder = (config: StorageConfig): string => join(config.repositoryDir, 'trash')

/** One file for each repository that is being made or removed. */
export const intentsFolder = (config: StorageConfig): string => join(config.repositoryDir, 'intents')

export const intentPath = (config: StorageConfig, storageKey: string): string =>
  join(intentsFolder(config), checkedKey(storageKey))

/** The same while the sweep decides on it, so that one noted meanwhile is another. */
export const asideIntentPath = (config: StorageConfig, storageKey: string): string =>
  `${intentPath(config, storageKey)}.aside`

/** One directory for each push under way; what a crash leaves in it tells what was pushed. */
export const pushesFolder = (config: StorageConfig): string => join(config.repositoryDir, 'pushes')

export const pushPath = (config: StorageConfig, key: string): string =>
  join(pushesFolder(config), checkedKey(key))

export const hooksFolder = (config: StorageConfig): string => join(config.repositoryDir, 'hooks')

export const isStorageKey = (text: string): boolean => /^[0-9a-f]{32}$/.test(text)

function checkedKey(text: string): string {
  if (!isStorageKey(text)) throw new Error('not a storage key')
  return text
}
