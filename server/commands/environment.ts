import { join, resolve } from 'node:path'

/** Where a command finds the database and the files of this instance. */
export interface CommandEnvironment {
  databaseUrl: string | undefined
  dataDir: string
  /** Where the git data lies, which no command copies. */
  repositoryDir: string
  /** Is the secret key given from outside, rather than kept in the data directory? */
  keyInEnvironment: boolean
}

/** Reads the settings commands need; the rest of the configuration may be absent or wrong meanwhile. */
export function readEnvironment(env: Record<string, string | undefined> = process.env): CommandEnvironment {
  const dataDir = env.GUILDHALL_DATA_DIR || './data'
  return {
    databaseUrl: env.DATABASE_URL || undefined,
    dataDir: resolve(dataDir),
    repositoryDir: resolve(env.GUILDHALL_REPOSITORY_DIR || join(dataDir, 'repositories')),
    keyInEnvironment: Boolean(env.GUILDHALL_SECRET_KEY),
  }
}
