import { readFileSync } from 'node:fs'
import { ConfigError } from './config-error'

/** Settings with secrets. Each can be in a file instead, which the setting with the suffix `_FILE` names. */
export const secretSettings = [
  'DATABASE_URL',
  'GUILDHALL_SECRET_KEY',
  'GUILDHALL_ADMIN_PASSWORD',
  'GUILDHALL_METRICS_TOKEN',
  'GUILDHALL_RUNNER_REGISTRATION_TOKEN',
  'GUILDHALL_S3_SECRET_ACCESS_KEY',
  'GUILDHALL_AZURE_ACCOUNT_KEY',
  'GUILDHALL_BACKUP_PASSPHRASE',
] as const

/** Returns the name of the setting that names the file with this secret. */
export const fileSettingOf = (name: string): string => `${name}_FILE`

/**
 * Returns the environment with the secrets that are in files, without the line break that editors add at the
 * end. Reads only the files of these settings.
 * @throws {ConfigError} naming a file that cannot be read or is empty, or a secret that is set twice.
 */
export function withSecretFiles(
  environment: Record<string, string | undefined>,
  settings: readonly string[],
): Record<string, string | undefined> {
  const read = { ...environment }
  for (const name of secretSettings.filter(each => settings.includes(each))) {
    const fileSetting = fileSettingOf(name)
    const path = environment[fileSetting]
    if (!path) continue
    if (environment[name]) throw new ConfigError(`${name} and ${fileSetting}: set only one of them`)
    read[name] = readSecret(fileSetting, path)
  }
  return read
}

function readSecret(fileSetting: string, path: string): string {
  let secret: string
  try {
    secret = readFileSync(/*turbopackIgnore: true*/ path, 'utf8').replace(/\r?\n$/, '')
  } catch (error) {
    throw new ConfigError(`${fileSetting}: cannot be read: ${(error as Error).message}`)
  }
  if (secret === '') throw new ConfigError(`${fileSetting}: ${path} is empty`)
  return secret
}
