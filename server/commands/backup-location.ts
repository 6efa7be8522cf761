import { readFile } from 'node:fs/promises'
import { type BackupLocation, openLocation, parseLocation, reasonOf, type Secrets } from '@/server/backups'
import { parseBackupSettings } from '@/server/kernel/config'
import { ConfigError } from '@/server/kernel/config-error'
import { createLog } from '@/server/kernel/log'
import type { Environment } from './environment'

/** Returns the location that an argument names, or that of scheduled backups. */
export function backupLocationOf(positionals: readonly string[], env: Environment): string {
  const [location = parseBackupSettings(env).to] = positionals
  if (positionals.length > 1) throw new Error('expected one argument: the location of the backups')
  if (location === undefined) {
    throw new Error(
      'name the location of the backups: a path, s3://bucket/prefix, or azure://container/prefix',
    )
  }
  return location
}

interface LocationOptions {
  create?: boolean
  /** Whether nothing encrypted is read, so that no secrets are needed. */
  isListOnly?: boolean | undefined
  /** File with a secret key, as `age-keygen` writes it. */
  identityFile?: string | undefined
}

/**
 * Opens a location with the secrets in the environment and in the file.
 * @throws {Error} naming the location if it cannot be used
 */
export async function openBackupLocation(
  location: string,
  env: Environment,
  { create, isListOnly, identityFile }: LocationOptions,
): Promise<BackupLocation> {
  const { passphrase, publicKey } = parseBackupSettings(env)
  if (passphrase && publicKey) {
    throw new ConfigError('GUILDHALL_BACKUP_PASSPHRASE and GUILDHALL_BACKUP_PUBLIC_KEY: set only one of them')
  }
  const identity = identityFile === undefined ? undefined : await identityIn(identityFile)
  const secrets: Secrets = identity === undefined ? { passphrase, publicKey } : { identity }
  try {
    return await openLocation(parseLocation(location, env), {
      secrets: isListOnly ? undefined : secrets,
      log: createLog('silent'),
      ...(create && { create }),
    })
  } catch (error) {
    throw new Error(`${location}: ${reasonOf(error).replace(replacedSettings, '')}`, { cause: error })
  }
}

// The location takes the place of these settings of the site's own storage.
const replacedSettings = /^GUILDHALL_(?:STORAGE_DIR|(?:S3|AZURE)_(?:BUCKET|CONTAINER|PREFIX)): /gm

async function identityIn(file: string): Promise<string> {
  const [identity] = /^AGE-SECRET-KEY-1[A-Z0-9]+$/m.exec(await readFile(file, 'utf8')) ?? []
  if (identity === undefined) throw new Error(`${file} contains no line that starts with AGE-SECRET-KEY-1`)
  return identity
}
