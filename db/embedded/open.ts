import { mkdir } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import type { IdleErrorListener, OpenDatabase } from '../handle'
import { once } from '../once'
import { ensureDatabase } from './directory'
import { lockDirectory } from './lock'
import { openSession } from './session'

/** Where the embedded database lives inside the data directory. */
export const embeddedDirectory = (dataDir: string): string => join(resolve(dataDir), 'postgres')

/**
 * Opens the database in a directory, and creates it at the first start.
 * @throws {DirectoryInUseError} when another process has it open: two engines on one directory destroy it without any error.
 */
export async function openEmbedded(directory: string, onError?: IdleErrorListener): Promise<OpenDatabase> {
  await mkdir(dirname(directory), { recursive: true, mode: 0o700 })
  const lock = await lockDirectory(directory)
  try {
    await ensureDatabase(directory)
    const session = openSession(await startEngine(directory), onError)
    const close = once(async () => {
      await session.close()
      await lock.release()
    })
    return { ...session, close }
  } catch (error) {
    await lock.release()
    throw error
  }
}

// The engine itself says no more than that it failed.
async function startEngine(directory: string): Promise<PGlite> {
  try {
    return await PGlite.create(directory)
  } catch (error) {
    throw new Error(
      `GUILDHALL_DATA_DIR: the embedded database in ${directory} does not start. Make room if its disk is full; ` +
        `else restore a backup. ${String(error)}`,
      { cause: error },
    )
  }
}
