import { readSecretKey, secretKeyFile, writeSecretKey } from '@/server/kernel/secret-key-file'

/**
 * Checks that a data directory has no secret key that differs from the backup's. The secrets in the backup
 * could not be decrypted with a different key.
 * @throws {Error} if the keys differ
 */
export async function refuseOtherKey(dataDir: string, backupKey: string | undefined): Promise<void> {
  const present = await readSecretKey(dataDir)
  if (backupKey === undefined || present === undefined || present === keyIn(backupKey)) return
  throw new Error(
    `${secretKeyFile(dataDir)} differs from the key in the backup; move it elsewhere if it is not needed`,
  )
}

/** Writes the backup's secret key into a data directory that has none, readable only by its owner. */
export async function putBackSecretKey(dataDir: string, backupKey: string | undefined): Promise<void> {
  await refuseOtherKey(dataDir, backupKey)
  if (backupKey === undefined || (await readSecretKey(dataDir)) !== undefined) return
  await writeSecretKey(dataDir, keyIn(backupKey))
}

/** Returns the secret key that a backup contains, without the file's line ending. */
export function keyIn(base64: string): string
export function keyIn(base64: string | undefined): string | undefined
export function keyIn(base64: string | undefined): string | undefined {
  return base64 && Buffer.from(base64, 'base64').toString().trim()
}
