import { randomBytes } from 'node:crypto'
import type { Config } from './config'
import { readSecretKey, writeSecretKey } from './secret-key-file'

/**
 * Resolves the key kept for what this instance must sign or seal: the environment's, else the data directory's,
 * made there on the first start (32 random bytes as hex, readable by the owner alone, synced before use).
 */
export async function loadSecretKey(config: Pick<Config, 'secretKey' | 'dataDir'>): Promise<string> {
  if (config.secretKey) return config.secretKey
  const kept = await readSecretKey(config.dataDir)
  if (kept) return kept
  const made = randomBytes(32).toString('hex')
  try {
    await writeSecretKey(config.dataDir, made)
    return made
  } catch (error) {
    // Of several first starts at once, the first to write makes the key of all.
    const theirs = await readSecretKey(config.dataDir)
    if (theirs) return theirs
    throw error
  }
}
