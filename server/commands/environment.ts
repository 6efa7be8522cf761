import { type OpenDatabase, openDatabase } from '@/db/client'
import { hasDatabase } from '@/db/embedded/directory'
import { embeddedDirectory } from '@/db/embedded/open'
import { type DataLocations, parseDataLocations } from '@/server/kernel/config'
import { withSecretFiles } from '@/server/kernel/secret-files'

export type Environment = Record<string, string | undefined>

/** Locations of this instance's database and files, as a command reads them from the environment. */
export interface CommandEnvironment extends DataLocations {
  /** Secret key in the environment; undefined if it is in the data directory. */
  secretKey: string | undefined
}

/**
 * Reads the settings that commands need. Other settings can be missing or invalid.
 * @throws {ConfigError} if a setting that commands need is invalid
 */
export function readEnvironment(env: Environment): CommandEnvironment {
  const { GUILDHALL_SECRET_KEY: secretKey } = withSecretFiles(env, ['GUILDHALL_SECRET_KEY'])
  return { ...parseDataLocations(env), secretKey: secretKey || undefined }
}

/**
 * Opens the database of this instance, by default without migrating it. It never creates a database.
 * @throws {Error} if the instance has no database
 */
export async function openExisting(
  { databaseUrl, dataDir }: Pick<CommandEnvironment, 'databaseUrl' | 'dataDir'>,
  { migrate = false } = {},
): Promise<OpenDatabase> {
  if (!databaseUrl && !(await hasDatabase(embeddedDirectory(dataDir)))) {
    throw new Error(`there is no database in ${dataDir}; set GUILDHALL_DATA_DIR or DATABASE_URL`)
  }
  return openDatabase({ databaseUrl, dataDir, migrate })
}
