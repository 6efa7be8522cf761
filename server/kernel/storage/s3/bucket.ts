import { S3Client } from '@aws-sdk/client-s3'
import type { Logger } from '../../log'
import { checkedKey } from '../key'
import { askingRemote } from '../remote'
import type { S3Settings } from '../settings'

/** The place of all objects of a site: a part of a bucket. */
export interface Bucket {
  client: S3Client
  name: string
  prefix: string
  /** Goes around every request. */
  asking<T>(request: Promise<T>): Promise<T>
}

export function openBucket(settings: S3Settings, log: Logger): Bucket {
  const { endpoint, region, credentials, bucket, prefix } = settings
  const client = new S3Client({
    region,
    ...(endpoint ? { endpoint, forcePathStyle: true } : {}),
    ...(credentials ? { credentials } : {}),
    // By default a checksum follows the body, which servers that do not know of it take for a part of it.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // A connection also rests while a slow client reads what came.
    requestHandler: { connectionTimeout: 5000, socketTimeout: 300_000 },
  })
  return { client, name: bucket, prefix, asking: askingRemote(log) }
}

export const objectName = ({ prefix }: Bucket, key: string): string => `${prefix}${checkedKey(key)}`
export const partsFolder = ({ prefix }: Bucket, key: string): string => `${prefix}parts/${checkedKey(key)}/`
export const partName = (bucket: Bucket, key: string, part: number): string =>
  `${partsFolder(bucket, key)}${part}`
