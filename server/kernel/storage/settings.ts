import { join, resolve } from 'node:path'
import { z } from 'zod'
import { ConfigError } from '../config-error'

export interface DiskSettings {
  kind: 'disk'
  /** Absolute path of the object directory. */
  directory: string
}

/**
 * Settings of an object storage on S3. `prefix` is the start of all object names in the bucket; it is empty
 * or ends with a slash.
 */
export interface S3Settings {
  kind: 's3'
  /**
   * URL of the server; undefined for Amazon S3. With any other endpoint, the bucket name is part of the path
   * instead of the host.
   */
  endpoint: string | undefined
  region: string
  bucket: string
  prefix: string
  /** Access key; undefined to use the default credential chain of the AWS SDK. */
  credentials: { accessKeyId: string; secretAccessKey: string } | undefined
}

/**
 * Settings of an object storage on Azure. `prefix` is the start of all blob names in the container; it is
 * empty or ends with a slash.
 */
export interface AzureSettings {
  kind: 'azure'
  endpoint: string
  account: string
  accountKey: string
  container: string
  prefix: string
}

export type StorageSettings = DiskSettings | S3Settings | AzureSettings

const kinds = ['disk', 's3', 'azure'] as const

const text = z.string().min(1).optional()
// These values are sent in headers and host names, where invalid characters would fail only when a request is
// sent.
const word = (expression: RegExp, expected: string) => z.string().regex(expression, `expected ${expected}`)
// Servers differ: Ceph has `tenant:bucket`, and Amazon has ARNs of access points, the only names that can
// contain slashes.
const bucketName = word(
  /^(?:arn:|(?!.*\/))[^\s\p{Cc}]{1,2048}$/u,
  'the name of a bucket, without spaces or slashes, or an ARN',
)
const regionName = word(/^[\w-]{1,64}$/, 'a region such as us-east-1')
const keyId = word(/^[\x21-\x7e]{1,255}$/, 'the ID of an access key, without spaces')
const accountName = word(
  /^[a-z0-9]{3,24}$/,
  'the name of a storage account: 3 to 24 lowercase letters and numbers',
)
const containerName = word(
  /^(?=.{3,63}$)(\$?[a-z0-9]+(-[a-z0-9]+)*)$/,
  'the name of a container: 3 to 63 lowercase letters, numbers, and -',
)
const endpoint = z.url({ protocol: /^https?$/, error: 'expected a URL such as https://s3.example.com' })
const prefix = z
  .string()
  .regex(/^[\w.~-]+(\/[\w.~-]+)*\/?$/, 'expected letters, numbers, and - _ . ~ separated by slashes')
  .transform(path => path.replace(/\/?$/, '/'))
  .default('')

export const storageVariables = {
  GUILDHALL_STORAGE: z.enum(kinds, { error: `expected one of: ${kinds.join(', ')}` }).default('disk'),
  GUILDHALL_STORAGE_DIR: text,
  GUILDHALL_S3_ENDPOINT: endpoint.optional(),
  GUILDHALL_S3_REGION: regionName.default('us-east-1'),
  GUILDHALL_S3_BUCKET: bucketName.optional(),
  GUILDHALL_S3_PREFIX: prefix,
  GUILDHALL_S3_ACCESS_KEY_ID: keyId.optional(),
  GUILDHALL_S3_SECRET_ACCESS_KEY: text,
  GUILDHALL_AZURE_ENDPOINT: endpoint.optional(),
  GUILDHALL_AZURE_ACCOUNT: accountName.optional(),
  GUILDHALL_AZURE_ACCOUNT_KEY: z
    .base64('expected the base64-encoded key as shown in the Azure portal')
    .min(1)
    .optional(),
  GUILDHALL_AZURE_CONTAINER: containerName.optional(),
  GUILDHALL_AZURE_PREFIX: prefix,
}
type Variables = z.output<z.ZodObject<typeof storageVariables>>

/**
 * Returns the settings of the selected storage.
 * @throws {ConfigError} naming the missing variable
 */
export function storageSettingsOf(env: Variables, dataDir: string): StorageSettings {
  if (env.GUILDHALL_STORAGE === 's3') return s3SettingsOf(env)
  if (env.GUILDHALL_STORAGE === 'azure') return azureSettingsOf(env)
  // Without this comment, Next's bundler would include the whole project.
  const directory = resolve(/*turbopackIgnore: true*/ env.GUILDHALL_STORAGE_DIR ?? join(dataDir, 'objects'))
  return { kind: 'disk', directory }
}

function s3SettingsOf(env: Variables): S3Settings {
  const { GUILDHALL_S3_BUCKET: bucket, GUILDHALL_S3_ACCESS_KEY_ID: accessKeyId } = env
  const { GUILDHALL_S3_SECRET_ACCESS_KEY: secretAccessKey } = env
  if (!bucket) throw missing('GUILDHALL_S3_BUCKET', 'S3')
  if (Boolean(accessKeyId) !== Boolean(secretAccessKey)) {
    throw new ConfigError('GUILDHALL_S3_ACCESS_KEY_ID and GUILDHALL_S3_SECRET_ACCESS_KEY: set both or none')
  }
  return {
    kind: 's3',
    endpoint: env.GUILDHALL_S3_ENDPOINT,
    region: env.GUILDHALL_S3_REGION,
    bucket,
    prefix: env.GUILDHALL_S3_PREFIX,
    credentials: accessKeyId && secretAccessKey ? { accessKeyId, secretAccessKey } : undefined,
  }
}

function azureSettingsOf(env: Variables): AzureSettings {
  const { GUILDHALL_AZURE_ACCOUNT: account, GUILDHALL_AZURE_ACCOUNT_KEY: accountKey } = env
  const { GUILDHALL_AZURE_CONTAINER: container } = env
  if (!account) throw missing('GUILDHALL_AZURE_ACCOUNT', 'Azure Blob Storage')
  if (!accountKey) throw missing('GUILDHALL_AZURE_ACCOUNT_KEY', 'Azure Blob Storage')
  if (!container) throw missing('GUILDHALL_AZURE_CONTAINER', 'Azure Blob Storage')
  return {
    kind: 'azure',
    endpoint: env.GUILDHALL_AZURE_ENDPOINT ?? `https://${account}.blob.core.windows.net`,
    account,
    accountKey,
    container,
    prefix: env.GUILDHALL_AZURE_PREFIX,
  }
}

const missing = (name: string, kind: string) => new ConfigError(`${name}: required to use ${kind}`)
