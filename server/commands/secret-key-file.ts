import { readSecretKey, secretKeyFile, writeSecretKey } from '@/server/kernel/secret-key-file'

/** What a backup carries of the key in the data directory: its file in base64, undefined when there is none. */
export async function secretKeyForBackup(dataDir: string): Promise<string | undefined> {
  const key = await readSecretKey(dataDir)
  return key && Buffer.from(`${key}\n`).toString('base64')
}

/**
 * Checks that a data directory has no other key than the backup, with which its secrets could not be unsealed.
 * @throws {Error} when the keys differ.
 */
export async function refuseOtherKey(dataDir: string, backupKey: string | undefined): Promise<void> {
  const present = await readSecretKey(dataDir)
  if (backupKey === undefined || present === undefined || present === keyIn(backupKey)) return
  throw new Error(
    `${secretKeyFile(dataDir)} differs from the key in the backup; move it away if it is not needed`,
  )
}

/** Puts the backup's key into a data directory that has none, readable by its owner alone. */
export async function putBackSecretKey(dataDir: string, backupKey: string | undefined): Promise<void> {
  await refuseOtherKey(dataDir, backupKey)
  if (backupKey === undefined || (await readSecretKey(dataDir)) !== undefined) return
  await writeSecretKey(dataDir, keyIn(backupKey))
}

/** The key that a backup carries; its line end does not belong to it. */
export function keyIn(base64: string): string
export function keyIn(base64: string | undefined): string | undefined
export function keyIn(base64: string | undefined): string | undefined {
  return base64 && Buffer.from(base64, 'base64').toString().trim()
}
