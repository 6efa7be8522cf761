import type { Logger } from '../log'
import { checkDisk } from './disk/check'
import { createDiskStorage } from './disk/disk'
import type { StorageSettings } from './settings'
import type { ObjectStorage } from './types'

/**
 * Opens the configured storage and verifies that it can store objects. If a bucket or container is unreachable, that
 * is only logged. Client libraries are loaded only for the storage in use.
 * @throws {ConfigError} if objects cannot be stored there.
 */
export async function openStorage(settings: StorageSettings, log: Logger): Promise<ObjectStorage> {
  if (settings.kind === 's3') return (await import('./s3/open')).openS3Storage(settings, log)
  if (settings.kind === 'azure') return (await import('./azure/open')).openAzureStorage(settings, log)
  await checkDisk(settings.directory)
  return createDiskStorage(settings.directory, log)
}
