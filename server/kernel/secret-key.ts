import { randomBytes } from 'node:crypto'
import { mkdir, open, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Config, ConfigError } from './config'

/**
 * Resolves the key that signs and seals for this instance: the environment's, else the data directory's,
 * made there on the first start (32 random bytes as hex, readable by the owner alone, synced before use).
 */
export async function loadSecretKey(config: Pick<Config, 'secretKey' | 'dataDir'>): Promise<string> {
  if (config.secretKey) return config.secretKey
  const path = join(config.dataDir, 'secret-key')
  await mkdir(config.dataDir, { recursive: true, mode: 0o700 })
  const kept = await readKept(path)
  if (kept) return kept
  const made = randomBytes(32).toString('hex')
  try {
    const file = await open(path, 'wx', 0o600)
    await file.writeFile(`${made}\n`)
    await file.sync()
    await file.close()
    return made
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    return (await readKept(path)) ?? Promise.reject(error)
  }
}

async function readKept(path: string): Promise<string | undefined> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw error
  })
  if (text === undefined) return undefined
  const key = text.trim()
  if (key.length < 32) {
    throw new ConfigError(`${path} is damaged: expected at least 32 characters; restore it from a backup`)
  }
  return key
}
