import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { writeWholeFile } from './whole-file'

const pathIn = (dataDir: string): string => join(dataDir, 'secret-key')

/** The key that sealed values need, in base64; undefined when the data directory has none. */
export async function readSecretKey(dataDir: string): Promise<string | undefined> {
  try {
    return await readFile(pathIn(dataDir), 'base64')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

/** Throws when the data directory has another key: what the backup holds could not be unsealed with it. */
export async function refuseOtherKey(dataDir: string, backupKey: string | undefined): Promise<void> {
  const present = await readSecretKey(dataDir)
  if (backupKey === undefined || present === undefined || sameKey(present, backupKey)) return
  throw new Error(`${pathIn(dataDir)} differs from the key in the backup; move it away if it is not needed`)
}

/** Puts the backup's key into a data directory that has none, readable by its owner alone. */
export async function putBackSecretKey(dataDir: string, backupKey: string | undefined): Promise<void> {
  await refuseOtherKey(dataDir, backupKey)
  if (backupKey === undefined || (await readSecretKey(dataDir)) !== undefined) return
  await mkdir(dataDir, { recursive: true, mode: 0o700 })
  await writeWholeFile(pathIn(dataDir), sink => pipeline([Buffer.from(backupKey, 'base64')], sink))
}

// The line end does not belong to the key.
function sameKey(a: string, b: string): boolean {
  const textOf = (base64: string) => Buffer.from(base64, 'base64').toString('latin1').trim()
  return textOf(a) === textOf(b)
}
