import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { type Config, ConfigError } from '../config'
import { makeDirectory, writeFileSynced } from '../fs/fsync'
import type { Logger } from '../log'
import { createDiskStorage } from './disk'
import type { ObjectStorage } from './types'

/**
 * Opens the storage that the settings name, and makes sure that it can be written to.
 * @throws {ConfigError} where it cannot.
 */
export async function openStorage({ storageDir }: Config, log: Logger): Promise<ObjectStorage> {
  const probe = join(storageDir, `${randomBytes(4).toString('hex')}.probe`)
  try {
    await makeDirectory(storageDir)
    await writeFileSynced(probe, '')
    await rm(probe)
  } catch (error) {
    const { message } = error as Error
    throw new ConfigError(`GUILDHALL_STORAGE_DIR: cannot write there: ${message}`, { cause: error })
  }
  return createDiskStorage(storageDir, log)
}
