import { type OpenDatabase, openDatabase } from '@/db/client'
import { hasDatabase } from '@/db/embedded/directory'
import { embeddedDirectory } from '@/db/embedded/open'
import type { CommandEnvironment } from './environment'

/** Opens a database to read from, as it is unless told to migrate; throws rather than make a new one. */
export async function openExisting(
  { databaseUrl, dataDir }: Pick<CommandEnvironment, 'databaseUrl' | 'dataDir'>,
  { migrate = false } = {},
): Promise<OpenDatabase> {
  if (!databaseUrl && !(await hasDatabase(embeddedDirectory(dataDir)))) {
    throw new Error(`there is no database in ${dataDir}: set GUILDHALL_DATA_DIR or DATABASE_URL`)
  }
  return openDatabase({ databaseUrl, dataDir, migrate })
}
