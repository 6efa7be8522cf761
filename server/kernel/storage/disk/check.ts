import { randomBytes } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { join } from 'node:path'
import { ConfigError } from '../../config-error'
import { makeDirectory, writeFileSynced } from '../../fs/fsync'

/**
 * Makes the directory of objects, and sure that it can be written to.
 * @throws {ConfigError} where it cannot.
 */
export async function checkDisk(directory: string): Promise<void> {
  const probe = join(directory, `${randomBytes(4).toString('hex')}.probe`)
  try {
    await makeDirectory(directory)
    await writeFileSynced(probe, '')
    await rm(probe)
  } catch (error) {
    const { message } = error as Error
    throw new ConfigError(`GUILDHALL_STORAGE_DIR: cannot write there: ${message}`, { cause: error })
  }
}
