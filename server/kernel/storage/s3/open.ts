import { randomBytes } from 'node:crypto'
import { DeleteObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3'
import { ConfigError } from '../../config-error'
import type { Logger } from '../../log'
import { failureOf } from '../remote'
import type { S3Settings } from '../settings'
import type { ObjectStorage } from '../types'
import { type Bucket, openBucket } from './bucket'
import { createS3Storage } from './storage'

/**
 * Opens a bucket and verifies that it is writable. If it is unreachable, that is only logged.
 * @throws {ConfigError} if it is not writable.
 */
export async function openS3Storage(settings: S3Settings, log: Logger): Promise<ObjectStorage> {
  const bucket = openBucket(settings, log)
  await probe(bucket).catch((error: Error) => {
    const { status, reason } = failureOf(error)
    if (error.name === 'CredentialsProviderError') {
      throw new ConfigError(`GUILDHALL_S3_ACCESS_KEY_ID: no credentials found: ${reason}`)
    }
    if (status < 300 || status >= 500) {
      return log.warn({ status, reason }, 'cannot reach the bucket of GUILDHALL_S3_BUCKET')
    }
    throw new ConfigError(`GUILDHALL_S3_BUCKET: cannot write to "${settings.bucket}": ${reason}`)
  })
  return createS3Storage(bucket)
}

async function probe({ client, name: Bucket, prefix }: Bucket): Promise<void> {
  const Key = `${prefix}probe-${randomBytes(4).toString('hex')}`
  await client.send(new PutObjectCommand({ Bucket, Key, Body: 'probe' }))
  await client.send(new DeleteObjectCommand({ Bucket, Key }))
}
