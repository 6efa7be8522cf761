import { resolve } from 'node:path'
import { parseDataLocations } from '@/server/kernel/config'
import { ConfigError } from '@/server/kernel/config-error'
import type { StorageSettings } from '@/server/kernel/storage/settings'

/** The two storages of a location of backups: one for content, the other for the list of backups. */
export interface LocationSettings {
  data: StorageSettings
  snapshots: StorageSettings
}

/**
 * Parses a location of backups: a path, `s3://bucket/prefix`, or `azure://container/prefix`. A bucket or container
 * is accessed with the settings of the object storage.
 * @throws {ConfigError} if the location or a setting that it needs is invalid
 */
export function parseLocation(location: string, env: Record<string, string | undefined>): LocationSettings {
  const [, scheme, name, prefix = ''] = /^([a-z0-9]+):\/\/([^/]*)\/?(.*)$/.exec(location) ?? []
  if (scheme === undefined) {
    const directory = resolve(location)
    return {
      data: { kind: 'disk', directory: `${directory}/data` },
      snapshots: { kind: 'disk', directory: `${directory}/snapshots` },
    }
  }
  if (scheme !== 's3' && scheme !== 'azure') {
    throw new ConfigError(
      `expected a path, s3://bucket/prefix, or azure://container/prefix, not ${scheme}://`,
    )
  }
  const [bucket, start] = scheme === 's3' ? ['S3_BUCKET', 'S3_PREFIX'] : ['AZURE_CONTAINER', 'AZURE_PREFIX']
  const below = (folder: string): StorageSettings => {
    const own = {
      GUILDHALL_STORAGE: scheme,
      [`GUILDHALL_${bucket}`]: name,
      [`GUILDHALL_${start}`]: [prefix.replace(/\/$/, ''), folder].filter(Boolean).join('/'),
    }
    return parseDataLocations({ ...env, ...own }).storage
  }
  return { data: below('data'), snapshots: below('snapshots') }
}
