import { S3Client } from '@aws-sdk/client-s3'
import type { Logger } from '../../log'
import { checkedKey } from '../key'
import { askingRemote } from '../remote'
import type { S3Settings } from '../settings'

/** S3 bucket, or all objects with a name prefix in a bucket, that holds the objects of a site. */
export interface Bucket {
  client: S3Client
  name: string
  prefix: string
  log: Logger
  /** Wraps every request: logs failures and turns them into errors for clients. */
  asking<T>(request: Promise<T>): Promise<T>
}

export function openBucket(settings: S3Settings, log: Logger): Bucket {
  // The server has its own warning about old versions of Node.js; this one would be mixed into the output of commands.
  process.env.AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED ??= 'true'
  const { endpoint, region, credentials, bucket, prefix } = settings
  const client = new S3Client({
    region,
    ...(endpoint ? { endpoint, forcePathStyle: true } : {}),
    ...(credentials ? { credentials } : {}),
    // By default, the SDK appends a checksum to the body, which servers without support for it store as data.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    // The connection is also idle while a slow client reads.
    requestHandler: { connectionTimeout: 5000, socketTimeout: 300_000 },
  })
  return { client, name: bucket, prefix, log, asking: askingRemote(log) }
}

export const objectName = ({ prefix }: Bucket, key: string): string => `${prefix}${checkedKey(key)}`
export const partsFolder = ({ prefix }: Bucket, key: string): string => `${prefix}parts/${checkedKey(key)}/`
export const partName = (bucket: Bucket, key: string, part: number): string =>
  `${partsFolder(bucket, key)}${part}`
