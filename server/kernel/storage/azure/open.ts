import { ConfigError } from '../../config-error'
import type { Logger } from '../../log'
import { failureOf, isRefusal } from '../remote'
import type { AzureSettings } from '../settings'
import type { ObjectStorage } from '../types'
import { openContainer } from './container'
import { createAzureStorage } from './storage'

/**
 * Opens an Azure container and verifies that it exists. If it is unreachable, only a warning is logged.
 * @throws {ConfigError} if the container does not exist or access is refused
 */
export async function openAzureStorage(settings: AzureSettings, log: Logger): Promise<ObjectStorage> {
  const container = openContainer(settings, log)
  await container.client.getProperties().catch(error => {
    const { status, reason } = failureOf(error)
    if (!isRefusal({ status, reason })) {
      return log.warn({ status, reason }, 'cannot reach the container of GUILDHALL_AZURE_CONTAINER')
    }
    const name = status === 403 ? 'GUILDHALL_AZURE_ACCOUNT_KEY' : 'GUILDHALL_AZURE_CONTAINER'
    throw new ConfigError(`${name}: cannot use the container "${settings.container}": ${reason}`)
  })
  return createAzureStorage(container)
}
