import { mkdir } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import type { Listeners, OpenDatabase } from '../handle'
import { once } from '../once'
import { lockDirectory } from './lock'
import { openSession } from './session'
import { startThread } from './thread/start'

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
    const thread = await startThread(directory)
    const session = openSession(thread, listeners)
    const close = once(async () => {
      await session.close()
      await lock.release()
    })
    return { ...session, copyFiles: thread.copyFiles, close }
  } catch (error) {
    await lock.release()
    throw error
  }
}
