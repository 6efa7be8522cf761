import type { Db, IdleErrorListener, OpenDatabase } from './handle'
import { migrate } from './migrate'
import { openServer } from './server/open'

export { DirectoryInUseError } from './embedded/lock'
export type { Db, OpenDatabase } from './handle'

export interface OpenOptions {
  /** A PostgreSQL to use; without one the database is embedded in the data directory. */
  databaseUrl?: string | undefined
  dataDir: string
  poolSize?: number | undefined
  onError?: IdleErrorListener | undefined
  /** Is asked first; what it throws leaves the tables as they are found. */
  beforeMigrating?: ((db: Db) => Promise<void>) | undefined
  /** `false` leaves the tables as they are found. */
  migrate?: boolean | undefined
}

/**
 * Opens the database and brings it to the newest migration.
 * @throws {Error} when it cannot be reached, is held by another process, or is newer than this program.
 */
export async function openDatabase(options: OpenOptions): Promise<OpenDatabase> {
  const { databaseUrl } = options
  if (!databaseUrl) return openInside(options)
  if (options.migrate !== false) await migrateServer(databaseUrl, options)
  return openServer(databaseUrl, options)
}

// Loaded only when asked for: beside a real server the embedded engine would be 27 MB for nothing.
async function openInside(options: OpenOptions): Promise<OpenDatabase> {
  const { embeddedDirectory, openEmbedded } = await import('./embedded/open')
  const open = await openEmbedded(embeddedDirectory(options.dataDir), options.onError)
  try {
    if (options.migrate !== false) await migrateAfter(open.db, options)
    return open
  } catch (error) {
    await open.close()
    throw error
  }
}

// On a connection of its own, because building an index, or waiting for another process that builds one,
// may take longer than a request is allowed to.
async function migrateServer(databaseUrl: string, options: OpenOptions): Promise<void> {
  const open = await openServer(databaseUrl, { poolSize: 1, statementTimeoutMs: 0 })
  try {
    await migrateAfter(open.db, options)
  } finally {
    await open.close()
  }
}

async function migrateAfter(db: Db, { beforeMigrating }: OpenOptions): Promise<void> {
  await beforeMigrating?.(db)
  await migrate(db)
}
