import { randomBytes } from 'node:crypto'
import { DeleteObjectCommand, PutObjectCommand } from '@aws-sdk/client-s3'
import { ConfigError } from '../../config-error'
import { failureOf, isRefusal } from '../remote'
import type { Bucket } from './bucket'

/**
 * Verifies that an S3 bucket is writable. If it is unreachable, only a warning is logged.
 * @throws {ConfigError} if the bucket is not writable
 */
export async function checkBucket({ client, name: Bucket, prefix, log }: Bucket): Promise<void> {
  const Key = `${prefix}probe-${randomBytes(4).toString('hex')}`
  try {
    await client.send(new PutObjectCommand({ Bucket, Key, Body: 'probe' }))
    await client.send(new DeleteObjectCommand({ Bucket, Key }))
  } catch (error) {
    const failure = failureOf(error)
    if (!isRefusal(failure)) return log.warn(failure, 'cannot reach the bucket of GUILDHALL_S3_BUCKET')
    throw new ConfigError(`GUILDHALL_S3_BUCKET: cannot write to "${Bucket}": ${failure.reason}`)
  }
}
