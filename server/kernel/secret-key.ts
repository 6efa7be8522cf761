import { randomBytes } from 'node:crypto'
import type { Config } from './config'
import { readSecretKey, writeSecretKey } from './secret-key-file'

/**
 * Returns the instance key, which signs and encrypts data: the key from the environment or else from the data
 * directory. At the first start, it is created there as 32 random bytes in hexadecimal, readable only by its
 * owner and synced before use.
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
    // If several processes start for the first time concurrently, all use the key that was written first.
    const theirs = await readSecretKey(config.dataDir)
    if (theirs) return theirs
    throw error
  }
}
