import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ConfigError } from '../../config-error'
import { makeDirectory, writeFileSynced } from '../../fs/fsync'

/**
 * Creates the object directory if necessary and verifies that it is writable.
 * @throws {ConfigError} if it is not writable
 */
export async function checkDisk(directory: string): Promise<void> {
  const probe = join(directory, `${randomBytes(4).toString('hex')}.probe`)
  try {
    await makeDirectory(directory)
    await writeFileSynced(probe, '')
    await rm(probe)
  } catch (error) {
    const { message } = error as Error
    throw new ConfigError(`GUILDHALL_STORAGE_DIR: the directory is not writable: ${message}`, {
      cause: error,
    })
  }
}
