import { chmod, mkdir, readdir, readFile, rename, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { PGlite } from '@electric-sql/pglite'

// The data files work only with this major version of PostgreSQL.
const engineMajor = '18'

/** Returns whether the directory contains an embedded database. */
export async function hasDatabase(directory: string): Promise<boolean> {
  return (await versionIn(directory)) !== undefined
}

/**
 * Ensures that the directory contains a database that this engine can open. The caller must have the lock. A
 * new database is created in another directory and then renamed, so that a killed process leaves no
 * incomplete database.
 * @throws {Error} if the directory contains other files or a database of another major version.
 */
export async function ensureDatabase(directory: string): Promise<void> {
  const version = await versionIn(directory)
  if (version === engineMajor) return
  if (version !== undefined) {
    throw new Error(
      `the database in ${directory} was created by PostgreSQL ${version}, but this program requires PostgreSQL ${engineMajor}: ` +
        'create a backup with the Guildhall version that created the database, then restore it here',
    )
  }
  if ((await entriesOf(directory)).length > 0) {
    throw new Error(`${directory} contains files but no database`)
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
