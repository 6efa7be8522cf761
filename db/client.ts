import type { Db, Listeners, OpenDatabase } from './handle'
import { migrate } from './migrate'
import { openServer } from './server/open'

export { DirectoryInUseError } from './embedded/lock'
export type { Db, OpenDatabase } from './handle'

export interface OpenOptions extends Listeners {
  /** URL of the PostgreSQL server. If absent, the database is embedded in the data directory. */
  databaseUrl?: string | undefined
  dataDir: string
  poolSize?: number | undefined
  /** Runs before the migrations. If it throws, the tables remain unchanged. */
  beforeMigrating?: ((db: Db) => Promise<void>) | undefined
  /** `false` skips the migrations. */
  migrate?: boolean | undefined
}

/**
 * Opens the database and applies all pending migrations.
 * @throws {Error} if the database cannot be reached, is in use by another process, or is newer than this
 * program.
 */
export async function openDatabase(options: OpenOptions): Promise<OpenDatabase> {
  const { databaseUrl } = options
  if (!databaseUrl) return openInside(options)
  if (options.migrate !== false) await migrateServer(databaseUrl, options)
  return openServer(databaseUrl, options)
}

// Imported on demand, because a process that uses a PostgreSQL server would waste 27 MB on the embedded
// engine.
async function openInside(options: OpenOptions): Promise<OpenDatabase> {
  const { embeddedDirectory, openEmbedded } = await import('./embedded/open')
  const open = await openEmbedded(embeddedDirectory(options.dataDir), options)
  try {
    if (options.migrate !== false) await migrateAfter(open.db, options)
    return open
  } catch (error) {
    await open.close()
    throw error
  }
}

// Uses a separate connection without a statement timeout, because building an index, or waiting for another
// process that builds one, can take longer than the timeout for requests.
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
