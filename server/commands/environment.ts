import { type OpenDatabase, openDatabase } from '@/db/client'
import { hasDatabase } from '@/db/embedded/directory'
import { embeddedDirectory } from '@/db/embedded/open'
import { type DataLocations, parseDataLocations } from '@/server/kernel/config'

export type Environment = Record<string, string | undefined>

/** Where a command finds the database and the files of this instance. */
interface CommandEnvironment extends DataLocations {
  /** The secret key comes from the environment rather than from the data directory. */
  keyInEnvironment: boolean
}

/**
 * Reads the settings commands need; the rest of the configuration may be absent or wrong.
 * @throws {ConfigError} for a setting that is needed and wrong
 */
export function readEnvironment(env: Environment): CommandEnvironment {
  return { ...parseDataLocations(env), keyInEnvironment: Boolean(env.GUILDHALL_SECRET_KEY) }
}

/**
 * Opens the database of this instance, by default without migrating it.
 * @throws {Error} when there is none, rather than creating one.
 */
export async function openExisting(
  { databaseUrl, dataDir }: Pick<CommandEnvironment, 'databaseUrl' | 'dataDir'>,
  { migrate = false } = {},
): Promise<OpenDatabase> {
  if (!databaseUrl && !(await hasDatabase(embeddedDirectory(dataDir)))) {
    throw new Error(`there is no database in ${dataDir}: set GUILDHALL_DATA_DIR or DATABASE_URL`)
  }
  return openDatabase({ databaseUrl, dataDir, migrate })
}
