import { ConfigError } from '../../config-error'
import type { Logger } from '../../log'
import { failureOf } from '../remote'
import type { S3Settings } from '../settings'
import type { ObjectStorage } from '../types'
import { openBucket } from './bucket'
import { createS3Storage } from './storage'

/**
 * Opens an S3 bucket without sending any request to it.
 * @throws {ConfigError} if there are no credentials for the bucket
 */
export async function openS3Storage(settings: S3Settings, log: Logger): Promise<ObjectStorage> {
  const bucket = openBucket(settings, log)
  await bucket.client.config.credentials().catch((error: Error) => {
    const { reason } = failureOf(error)
    if (error.name !== 'CredentialsProviderError')
      return log.warn({ reason }, 'cannot get credentials for S3')
    throw new ConfigError(`GUILDHALL_S3_ACCESS_KEY_ID: no credentials found: ${reason}`)
  })
  return createS3Storage(bucket)
}
