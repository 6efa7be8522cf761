import type { Db } from '@/db/client'
import { blaming } from '@/server/kernel/blame'
import type { Config } from '@/server/kernel/config'
import { ConfigError } from '@/server/kernel/config-error'
import { seal, unseal } from '@/server/kernel/seal'
import { loadSecretKey } from '@/server/kernel/secret-key'
import { readSecretKey, secretKeyFile } from '@/server/kernel/secret-key-file'
import { sampleSealed } from './sample'
import { saveMark, selectMarks } from './store'

type KeySettings = Pick<Config, 'secretKey' | 'dataDir'>

/**
 * Returns the configured secret key: the environment's, otherwise the data directory's; undefined if there is
 * none.
 */
export async function presentKey({ secretKey, dataDir }: KeySettings): Promise<string | undefined> {
  return secretKey ?? (await blaming('GUILDHALL_DATA_DIR', () => readSecretKey(dataDir)))
}

const text = 'guildhall'

/** Creates a mark that can only be decrypted with this secret key. */
export const keyMark = (secretKey: string): string =>
  seal({ secretKey }, 'site.mark', text).toString('base64')

export function opensMark(secretKey: string, mark: string): boolean {
  try {
    return unseal({ secretKey }, 'site.mark', Buffer.from(mark, 'base64')) === text
  } catch {
    return false
  }
}

/**
 * Checks that the configured secret key belongs to this site and returns it.
 * @throws {ConfigError} if the key is a different one or missing.
 */
export async function proveKey(settings: KeySettings, mark: string): Promise<string> {
  const key = await presentKey(settings)
  if (key !== undefined && opensMark(key, mark)) return key
  throw key === undefined ? missingKey(settings) : otherKey(settings)
}

/**
 * Checks that the configured secret key can become the key of a site that has no recorded key yet.
 * @throws {ConfigError} if the key decrypts less than half of a sample of the database's encrypted values, or
 * if there are such values but no key.
 */
export async function requireFittingKey(db: Db, settings: KeySettings): Promise<void> {
  const present = await presentKey(settings)
  const sealed = await sampleSealed(db)
  if (present === undefined && sealed.length > 0) throw missingKey(settings)
  const opened = sealed.filter(one => isOpened(present, one))
  // Some values may have been encrypted with a wrong key before anyone noticed.
  if (opened.length * 2 < sealed.length) throw otherKey(settings)
}

/**
 * Records the configured secret key, or a newly generated one, as the key of a site that has no recorded key
 * yet. Returns the key.
 */
export async function markKey(db: Db, settings: KeySettings): Promise<string> {
  const key = await blaming('GUILDHALL_DATA_DIR', () => loadSecretKey(settings))
  await saveMark(db, 'secret_key', { mark: keyMark(key), isWritten: true })
  return key
}

function isOpened(
  secretKey: string | undefined,
  { purpose, sealed }: Awaited<ReturnType<typeof sampleSealed>>[number],
): boolean {
  try {
    unseal({ secretKey }, purpose, sealed)
    return true
  } catch {
    return false
  }
}

const ifLost = 'If the key is permanently lost, run: npm run site:adopt -- --new-key'

const missingKey = ({ dataDir }: KeySettings): ConfigError =>
  new ConfigError(
    `GUILDHALL_SECRET_KEY: the site's secret key is neither set nor in ${secretKeyFile(dataDir)}. ` +
      `Set the variable to the key of the site's other processes, or restore the file from a backup. ${ifLost}`,
  )

function otherKey({ secretKey, dataDir }: KeySettings): ConfigError {
  return new ConfigError(
    secretKey === undefined
      ? `GUILDHALL_DATA_DIR: ${secretKeyFile(dataDir)} does not contain the secret key of the site that the database belongs to. ` +
          `Restore that key from a backup, or set GUILDHALL_SECRET_KEY to the key of the site's other processes. ${ifLost}`
      : 'GUILDHALL_SECRET_KEY is not the secret key of the site that the database belongs to. ' +
          `Set it to the key of the site's other processes, or remove it if ${secretKeyFile(dataDir)} contains the right one. ${ifLost}`,
  )
}

/**
 * Checks that a secret key belongs to the site whose backup was restored into the database.
 * @throws {Error} if the recorded mark belongs to a different key.
 */
export async function requireKeyOfMarks(db: Db, secretKey: string): Promise<void> {
  const mark = (await selectMarks(db)).secret_key?.mark
  if (mark === undefined || opensMark(secretKey, mark)) return
  throw new Error(
    'GUILDHALL_SECRET_KEY is not the secret key of the site in the backup. Set it to that key, or remove it if the backup or the data directory has the key, or if the key is lost.',
  )
}
