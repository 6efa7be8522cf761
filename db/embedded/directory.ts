import { chmod, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'

// The files are tied to the major version of the engine.
const engineMajor = '18'

/** True if the directory holds an embedded database. */
export async function hasDatabase(directory: string): Promise<boolean> {
  return (await versionIn(directory)) !== undefined
}

/**
 * Makes sure that the directory holds a database this engine can open; the caller holds the lock.
 * A new one is made beside it and renamed, so that a process killed halfway leaves nothing half-made.
 */
export async function ensureDatabase(directory: string): Promise<void> {
  const version = await versionIn(directory)
  if (version === engineMajor) return
  if (version !== undefined) {
    throw new Error(
      `the database in ${directory} is of PostgreSQL ${version}, this program reads ${engineMajor}: ` +
        'make a backup with the version that wrote it and restore it here',
    )
  }
  if ((await entriesOf(directory)).length > 0) {
    throw new Error(`${directory} holds files that are not a database`)
  }

  const fresh = `${directory}.new`
  await rm(fresh, { recursive: true, force: true })
  await mkdir(fresh, { mode: 0o700 })
  const pglite = await PGlite.create(fresh)
  await pglite.close()
  await chmod(fresh, 0o700)
  await rename(fresh, directory)
}

async function versionIn(directory: string): Promise<string | undefined> {
  try {
    return (await readFile(join(directory, 'PG_VERSION'), 'utf8')).trim()
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

async function entriesOf(directory: string): Promise<string[]> {
  try {
    return await readdir(directory)
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT'
}
