import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { ConfigError } from './config-error'
import { undefinedIfAbsent } from './fs/absent'
import { writeFileAtomic } from './fs/atomic-write'
import { makeDirectory } from './fs/fsync'

/** Returns the path of the file that contains the instance's secret key. */
export const secretKeyFile = (dataDir: string): string => join(dataDir, 'secret-key')

/**
 * Reads the secret key in the data directory; undefined if there is none.
 * @throws {ConfigError} if the file does not contain a valid key
 */
export async function readSecretKey(dataDir: string): Promise<string | undefined> {
  const path = secretKeyFile(dataDir)
  const text = await readFile(path, 'utf8').catch(undefinedIfAbsent)
  if (text === undefined) return undefined
  const key = text.trim()
  if (key.length >= 32) return key
  throw new ConfigError(
    `GUILDHALL_DATA_DIR: ${path} is damaged: expected at least 32 characters. ` +
      'Restore the key from a backup, or remove the file if this site has never started.',
  )
}

/**
 * Writes a secret key into a data directory that has none.
 * @throws {Error} EEXIST if the directory already contains a key, which is left unchanged
 */
export async function writeSecretKey(dataDir: string, key: string): Promise<void> {
  await makeDirectory(dataDir)
  await writeFileAtomic(secretKeyFile(dataDir), `${key}\n`, { replace: false })
}
