import type { Logger } from '../log'
import { checkDisk } from './disk/check'
import { createDiskStorage } from './disk/disk'
import type { StorageSettings } from './settings'
import type { ObjectStorage } from './types'

/**
 * Opens the storage that the settings name, and makes sure that objects can be kept there. A bucket or container that is
 * out of reach at the moment is warned of in the log alone. The libraries of the others are loaded for nobody.
 * @throws {ConfigError} where they cannot.
 */
export async function openStorage(settings: StorageSettings, log: Logger): Promise<ObjectStorage> {
  if (settings.kind === 's3') return (await import('./s3/open')).openS3Storage(settings, log)
  if (settings.kind === 'azure') return (await import('./azure/open')).openAzureStorage(settings, log)
  await checkDisk(settings.directory)
  return createDiskStorage(settings.directory, log)
}
