import { constants } from 'node:fs'
import { cp, mkdir } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { PGlite } from '@electric-sql/pglite'
import type { Listeners, OpenDatabase } from '../handle'
import { once } from '../once'
import { ensureDatabase } from './directory'
import { lockDirectory } from './lock'
import { openSession } from './session'

/** Returns the path of the embedded database inside the data directory. */
export const embeddedDirectory = (dataDir: string): string => join(resolve(dataDir), 'postgres')

/**
 * Opens the database in a directory, and creates it if it does not exist.
 * @throws {DirectoryInUseError} if another process has it open. Two engines on one directory would silently
 * corrupt it.
 */
export async function openEmbedded(directory: string, listeners: Listeners = {}): Promise<OpenDatabase> {
  await mkdir(dirname(directory), { recursive: true, mode: 0o700 })
  const lock = await lockDirectory(directory)
  try {
    await ensureDatabase(directory)
    const session = openSession(await startEngine(directory), listeners)
    const close = once(async () => {
      await session.close()
      await lock.release()
    })
    const { pglite } = session
    // Between two calls of the engine, the files are as they would be if the process was killed.
    const copyFiles = (to: string): Promise<void> =>
      pglite.runExclusive(() => cp(directory, to, { recursive: true, mode: constants.COPYFILE_FICLONE }))
    return { ...session, copyFiles, close }
  } catch (error) {
    await lock.release()
    throw error
  }
}

// The engine's own error says only that it failed.
async function startEngine(directory: string): Promise<PGlite> {
  try {
    return await PGlite.create(directory)
  } catch (error) {
    throw new Error(
      `GUILDHALL_DATA_DIR: the embedded database in ${directory} cannot be started. If its disk is full, free up space; ` +
        `otherwise, restore a backup. ${String(error)}`,
      { cause: error },
    )
  }
}
