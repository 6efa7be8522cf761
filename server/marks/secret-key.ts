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

/** The key that the settings give: the environment's, else that of the data directory, where there is one. */
export async function presentKey({ secretKey, dataDir }: KeySettings): Promise<string | undefined> {
  return secretKey ?? (await blaming('GUILDHALL_DATA_DIR', () => readSecretKey(dataDir)))
}

const text = 'guildhall'

/** A mark that this key alone opens. */
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
 * Proves that the settings give the key of this site.
 * @throws {ConfigError} where it is another one or missing.
 */
export async function proveKey(settings: KeySettings, mark: string): Promise<string> {
  const key = await presentKey(settings)
  if (key !== undefined && opensMark(key, mark)) return key
  throw key === undefined ? missingKey(settings) : otherKey(settings)
}

/**
 * Requires of a site that knows no key yet that the one which the settings give may become its key.
 * @throws {ConfigError} where it does not open what the database holds, and where there is none that could.
 */
export async function requireFittingKey(db: Db, settings: KeySettings): Promise<void> {
  const present = await presentKey(settings)
  const sealed = await sampleSealed(db)
  if (present === undefined && sealed.length > 0) throw missingKey(settings)
  const opened = sealed.filter(one => isOpened(present, one))
  // Some may have been sealed with a wrong key while nobody noticed.
  if (opened.length * 2 < sealed.length) throw otherKey(settings)
}

/** Marks the database of a site that knows no key yet with the one that the settings give, or with a new one. */
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

const ifLost = 'If it is lost for good: npm run site:adopt -- --new-key'

const missingKey = ({ dataDir }: KeySettings): ConfigError =>
  new ConfigError(
    `GUILDHALL_SECRET_KEY: the database belongs to a site whose secret key is neither there nor in ${secretKeyFile(dataDir)}. ` +
      `Set the variable to the key of the site's other processes, or put the file back from a backup. ${ifLost}`,
  )

function otherKey({ secretKey, dataDir }: KeySettings): ConfigError {
  return new ConfigError(
    secretKey === undefined
      ? `GUILDHALL_DATA_DIR: ${secretKeyFile(dataDir)} does not hold the secret key of the site that the database belongs to. ` +
          `Put that key back from a backup, or set GUILDHALL_SECRET_KEY to the one of the site's other processes. ${ifLost}`
      : 'GUILDHALL_SECRET_KEY is not the secret key of the site that the database belongs to. ' +
          `Set it to that of the site's other processes, or remove it if ${secretKeyFile(dataDir)} holds the right one. ${ifLost}`,
  )
}

/**
 * Requires that a key is that of the site whose data a database was given.
 * @throws {Error} where its mark says that it is another one.
 */
export async function requireKeyOfMarks(db: Db, secretKey: string): Promise<void> {
  const mark = (await selectMarks(db)).secret_key?.mark
  if (mark === undefined || opensMark(secretKey, mark)) return
  throw new Error(
    'GUILDHALL_SECRET_KEY is not the secret key of the site in the backup. Set it to that key; leave it out if the backup or the data directory has the key, or if it is lost.',
  )
}
