import type { Logger } from '../log'
import { createDiskStorage } from './disk/disk'
import type { StorageSettings } from './settings'
import type { ObjectStorage } from './types'

/**
 * Opens the configured storage without writing anything, because it may belong to another site. If a container
 * is unreachable, only a warning is logged. Client libraries are loaded only for the storage in use.
 * @throws {ConfigError} if credentials are missing or refused, or a container does not exist
 */
export async function openStorage(settings: StorageSettings, log: Logger): Promise<ObjectStorage> {
  if (settings.kind === 's3') return (await import('./s3/open')).openS3Storage(settings, log)
  if (settings.kind === 'azure') return (await import('./azure/open')).openAzureStorage(settings, log)
  return createDiskStorage(settings.directory, log)
}
