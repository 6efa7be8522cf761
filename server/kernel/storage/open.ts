import type { Logger } from '../log'
import { createDiskStorage } from './disk/disk'
import type { StorageSettings } from './settings'
import type { ObjectStorage } from './types'

/**
 * Opens the configured storage without writing anything, as it may be another site's. If a container is unreachable, that is
 * only logged. Client libraries are loaded only for the storage in use.
 * @throws {ConfigError} for credentials that are missing or refused, and a container that does not exist.
 */
export async function openStorage(settings: StorageSettings, log: Logger): Promise<ObjectStorage> {
  if (settings.kind === 's3') return (await import('./s3/open')).openS3Storage(settings, log)
  if (settings.kind === 'azure') return (await import('./azure/open')).openAzureStorage(settings, log)
  return createDiskStorage(settings.directory, log)
}
