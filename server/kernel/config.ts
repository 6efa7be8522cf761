import { join, resolve } from 'node:path'
import { z } from 'zod'
import { type BackupSettings, backupSettingsOf, backupVariables } from './backup-settings'
import { ConfigError } from './config-error'
import { type AllowedHosts, parseAllowedHosts } from './egress/allowed-hosts'
import { type FeatureSwitches, features } from './features'
import { type AddressMatcher, parseNetworks } from './ip-address'
import { type LogLevel, logLevels } from './log-level'
import { maxPasswordLength, minPasswordLength } from './password-length'
import { maxProcesses, memoryLimit, parseProcesses } from './processes/count'
import { fileSettingOf, secretSettings, withSecretFiles } from './secret-files'
import { sshSocketPath } from './ssh-socket-path'
import { type StorageSettings, storageSettingsOf, storageVariables } from './storage/settings'
import { isEmailAddress } from './wire'

export interface Config extends FeatureSwitches {
  port: number
  host: string
  databaseUrl: string | undefined
  /** Absolute path of the data directory. */
  dataDir: string
  /**
   * Absolute path of the directory that contains the bare Git repositories. All processes on one database must
   * use the same directory.
   */
  repositoryDir: string
  /** Storage of release files and artifacts. All processes on one database must use the same storage. */
  storage: StorageSettings
  /** Whether downloads redirect to the storage, if it can serve them itself. */
  serveDirect: boolean
  /** Whether files can be uploaded to releases. */
  attachments: boolean
  /** Maximum size of a release file in bytes; infinite for no limit. */
  releaseMaxBytes: number
  /**
   * Extensions such as `.zip` and types such as `image/*` that are allowed for release files; empty for all.
   */
  releaseAllowedTypes: readonly string[]
  /** Origin of signed artifact URLs; undefined to use the origin of the request. */
  artifactBaseUrl: string | undefined
  /** Default and maximum number of days that an artifact is kept. */
  artifactRetentionDays: number
  /** Origin of actions that a workflow names without a URL, such as `actions/checkout@v4`. */
  actionsUrl: string
  /** Maximum size of an artifact in bytes; infinite for no limit. */
  artifactMaxBytes: number
  /** Maximum size of a job's log in bytes; infinite for no limit. */
  logMaxBytes: number
  /** Maximum size of one push in bytes. */
  maxPushBytes: number
  /** Maximum memory in bytes that all fetches, pushes and maintenance tasks use together. */
  gitMemoryBytes: number
  /**
   * Maximum number of repositories that a person or organization can own. Site administrators can exceed it.
   */
  maxRepositories: number
  /** Origin at which users reach the site, without a trailing slash. */
  baseUrl: string
  /**
   * Secret key of the instance; if undefined, the key in the data directory is used, which is created at the
   * first start.
   */
  secretKey: string | undefined
  registration: boolean
  /** Whether people and programs can only read. */
  readOnly: boolean
  /** Who can see what is expensive to compute, such as comparisons: everyone, or only who is signed in. */
  expensivePages: 'everyone' | 'signed-in'
  /** Whether webhooks can be created and are sent events. */
  webhooks: boolean
  /** Whether an administrator's token needs the scope `write:admin` to act as another user. */
  requireAdminScope: boolean
  metrics: boolean
  /** Bearer token that `/metrics` requires; if undefined, everyone can read the metrics. */
  metricsToken: string | undefined
  logLevel: LogLevel
  /** Matches the addresses of proxies whose X-Forwarded-For header is trusted. */
  trustedProxies: AddressMatcher
  /**
   * Additional registration token for site runners; if undefined, only the token shown to administrators is
   * valid.
   */
  runnerRegistrationToken: string | undefined
  /** Number of days that webhook deliveries are kept. */
  webhookLogDays: number
  /** Hosts that webhooks can be sent to. */
  webhookAllowedHosts: AllowedHosts
  /** Address on which the built-in SSH server listens; undefined if it is off. */
  sshListen: { host: string; port: number } | undefined
  /**
   * Path of the Unix socket on which the process listens for the commands that OpenSSH runs; undefined if it
   * is off.
   */
  sshSocket: string | undefined
  /**
   * Files with the private host keys of the built-in SSH server; if empty, keys are created at the first
   * start. If another program accepts the SSH connections, files with its public host keys.
   */
  sshHostKeyFiles: readonly string[]
  /** SSH address in clone URLs; undefined if SSH is not available. */
  sshAddress: SshAddress | undefined
  firstAdmin: { name: string; password: string; email: string } | undefined
  backup: BackupSettings
}

export interface SshAddress {
  user: string
  host: string
  port: number
}

const flag = z
  .enum(['on', 'off', 'true', 'false', '1', '0'], { error: 'expected on or off' })
  .transform(word => ['on', 'true', '1'].includes(word))

const featureList = z
  .string()
  .transform(text =>
    text
      .split(',')
      .map(word => word.trim())
      .filter(Boolean),
  )
  .pipe(z.array(z.enum(features, { error: `expected a comma-separated list of: ${features.join(', ')}` })))
  .transform(words => new Set(words))

const origin = z.string().transform((text, issues) => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  if (url && /^https?:$/.test(url.protocol) && url.pathname === '/' && !url.search && !url.username) {
    return url.origin
  }
  issues.addIssue('expected an origin without a path, such as https://forge.example.com')
  return z.NEVER
})

const proxyList = z.string().transform((text, issues) => {
  const networks = parseNetworks(text)
  if ('match' in networks) return networks.match
  issues.addIssue(`expected IP addresses or networks such as 10.0.0.0/8, not "${networks.wrong}"`)
  return z.NEVER
})

const allowedHosts = z.string().transform((text, issues) => {
  try {
    return parseAllowedHosts(text)
  } catch (error) {
    issues.addIssue((error as TypeError).message)
    return z.NEVER
  }
})

const typeList = z.string().transform((text, issues) => {
  const types = text
    .toLowerCase()
    .split(/[,|]/)
    .map(type => type.trim())
    .filter(Boolean)
  const wrong = types.find(type => !/^(\.[^/\s]+|[\w.+-]+\/([\w.+-]+|\*)|\*\/\*)$/.test(type))
  if (wrong === undefined) return types.includes('*/*') ? [] : types
  issues.addIssue(`expected extensions such as .zip or types such as image/* or text/plain, not "${wrong}"`)
  return z.NEVER
})

const mib = 1024 * 1024
const gib = 1024 * mib

const byteLimit = z
  .string()
  .regex(/^(-1|\d{1,15})$/, 'expected a number of bytes, or -1 for no limit')
  .transform(text => (text === '-1' ? Infinity : Number(text)))

const dayCount = z
  .string()
  .regex(/^[1-9]\d{0,3}$/, 'expected a number of days from 1 to 9999')
  .transform(Number)

const mebibytes = (min: number) => {
  const expected = `expected a number of MiB from ${min} to 9999999`
  return z
    .string()
    .regex(/^[1-9]\d{0,6}$/, expected)
    .transform(text => Number(text) * mib)
    .refine(bytes => bytes >= min * mib, expected)
}

// With less memory, the shares would be too small for a fetch or a push.
const minGitMemoryMib = 1024

// Half of the machine's memory, or of the container's memory limit.
function defaultGitMemoryMib(): number {
  return Math.max(minGitMemoryMib, Math.floor(memoryLimit() / 2 / mib))
}

const processCount = z.string().transform((text, issues) => {
  const count = parseProcesses(text)
  if (count !== undefined) return count
  issues.addIssue(`expected auto or a number of processes from 1 to ${maxProcesses}`)
  return z.NEVER
})

const registrationToken = z
  .string()
  .regex(/^[\x21-\x7e]{32,255}$/, 'expected 32 to 255 characters without spaces')

const portNumber = z
  .string()
  .regex(/^[1-9]\d{0,4}$/, 'expected a port number from 1 to 65535')
  .transform(Number)
  .refine(port => port <= 65_535, 'expected a port number from 1 to 65535')

const portOrOff = z
  .string()
  .transform(text => (text === 'off' ? undefined : text))
  .pipe(portNumber.optional())

const fileList = z.string().transform(text =>
  text
    .split(',')
    .map(path => path.trim())
    .filter(Boolean)
    .map(path => resolve(/*turbopackIgnore: true*/ path)),
)

const passwordLength = `expected ${minPasswordLength} to ${maxPasswordLength} characters`

const Environment = z.object({
  PORT: z
    .string()
    .regex(/^\d{1,5}$/, 'expected a port number from 0 to 65535')
    .transform(Number)
    .refine(port => port <= 65_535, 'expected a port number from 0 to 65535')
    .default(3000),
  HOST: z.string().min(1).default('127.0.0.1'),
  DATABASE_URL: z
    .string()
    .regex(/^postgres(ql)?:\/\//, 'expected postgres://user:password@host:port/database')
    .optional(),
  GUILDHALL_DATA_DIR: z.string().min(1).default('./data'),
  GUILDHALL_REPOSITORY_DIR: z.string().min(1).optional(),
  ...storageVariables,
  GUILDHALL_SERVE_DIRECT: flag.default(false),
  GUILDHALL_ATTACHMENTS: flag.default(true),
  GUILDHALL_RELEASE_MAX_BYTES: byteLimit.default(2 * gib),
  GUILDHALL_RELEASE_ALLOWED_TYPES: typeList.default([]),
  GUILDHALL_ARTIFACT_BASE_URL: origin.optional(),
  GUILDHALL_ACTIONS_URL: origin.default('https://github.com'),
  GUILDHALL_ARTIFACT_RETENTION_DAYS: dayCount.default(90),
  GUILDHALL_ARTIFACT_MAX_BYTES: byteLimit.default(100 * gib),
  GUILDHALL_LOG_MAX_BYTES: byteLimit.default(64 * mib),
  GUILDHALL_MAX_PUSH_MIB: mebibytes(1).default(4096 * mib),
  GUILDHALL_GIT_MEMORY_MIB: mebibytes(minGitMemoryMib).default(() => defaultGitMemoryMib() * mib),
  GUILDHALL_MAX_REPOSITORIES: z
    .string()
    .regex(/^\d{1,9}$/, 'expected a number of repositories from 0 to 999999999')
    .transform(Number)
    .default(1000),
  GUILDHALL_BASE_URL: origin.optional(),
  GUILDHALL_SECRET_KEY: z.string().min(32, 'expected at least 32 characters').optional(),
  GUILDHALL_REGISTRATION: flag.default(false),
  GUILDHALL_READ_ONLY: flag.default(false),
  GUILDHALL_EXPENSIVE_PAGES: z
    .enum(['everyone', 'signed-in'], { error: 'expected everyone or signed-in' })
    .default('everyone'),
  GUILDHALL_PROCESSES: processCount.prefault('auto'),
  GUILDHALL_WEBHOOKS: flag.default(true),
  GUILDHALL_DISABLED_FEATURES: featureList.default(new Set()),
  GUILDHALL_EXTERNAL_DISABLED_FEATURES: featureList.default(new Set()),
  GUILDHALL_REQUIRE_ADMIN_SCOPE: flag.default(false),
  GUILDHALL_METRICS: flag.default(false),
  GUILDHALL_METRICS_TOKEN: z
    .string()
    .regex(/^[\x21-\x7e]{16,}$/, 'expected at least 16 characters without spaces')
    .optional(),
  GUILDHALL_LOG_LEVEL: z
    .enum(logLevels, { error: `expected one of: ${logLevels.join(', ')}` })
    .default('info'),
  GUILDHALL_TRUSTED_PROXIES: proxyList.default(() => () => false),
  GUILDHALL_RUNNER_REGISTRATION_TOKEN: registrationToken.optional(),
  GUILDHALL_WEBHOOK_LOG_DAYS: dayCount.default(30),
  GUILDHALL_WEBHOOK_ALLOWED_HOSTS: allowedHosts.prefault('external'),
  GUILDHALL_SSH_PORT: portOrOff.prefault('2222'),
  GUILDHALL_SSH_HOST: z.string().min(1).optional(),
  GUILDHALL_SSH_USER: z
    .string()
    .regex(/^[a-z_][a-z0-9_-]{0,31}$/, 'expected a login name such as git')
    .default('git'),
  GUILDHALL_SSH_PUBLIC_HOST: z
    .string()
    .regex(/^[\w.:-]{1,255}$/, 'expected a host name or an IP address')
    .optional(),
  GUILDHALL_SSH_PUBLIC_PORT: portNumber.optional(),
  GUILDHALL_SSH_HOST_KEYS: fileList.default([]),
  GUILDHALL_SSH_SOCKET: z
    .string()
    .regex(/^(on|off|\/.+)$/, 'expected on, off, or an absolute path')
    .default('off'),
  GUILDHALL_ADMIN_USER: z.string().optional(),
  GUILDHALL_ADMIN_PASSWORD: z
    .string()
    .min(minPasswordLength, passwordLength)
    .max(maxPasswordLength, passwordLength)
    .optional(),
  GUILDHALL_ADMIN_EMAIL: z
    .string()
    .trim()
    .max(254, 'expected at most 254 characters')
    .refine(isEmailAddress, 'expected an email address')
    .optional(),
  ...backupVariables,
})

/**
 * Parses the settings from the environment. An empty variable counts as absent.
 * @throws {ConfigError} naming every invalid variable
 */
export function parseConfig(environment: Record<string, string | undefined>): Config {
  const env = parse(Environment, environment)
  refuseProcesses(env)
  refuseSamePort(env)
  return {
    ...dataLocationsOf(env),
    port: env.PORT,
    host: env.HOST,
    serveDirect: env.GUILDHALL_SERVE_DIRECT,
    attachments: env.GUILDHALL_ATTACHMENTS,
    releaseMaxBytes: env.GUILDHALL_RELEASE_MAX_BYTES,
    releaseAllowedTypes: env.GUILDHALL_RELEASE_ALLOWED_TYPES,
    artifactBaseUrl: env.GUILDHALL_ARTIFACT_BASE_URL,
    actionsUrl: env.GUILDHALL_ACTIONS_URL,
    artifactRetentionDays: env.GUILDHALL_ARTIFACT_RETENTION_DAYS,
    artifactMaxBytes: env.GUILDHALL_ARTIFACT_MAX_BYTES,
    logMaxBytes: env.GUILDHALL_LOG_MAX_BYTES,
    maxPushBytes: env.GUILDHALL_MAX_PUSH_MIB,
    gitMemoryBytes: env.GUILDHALL_GIT_MEMORY_MIB,
    maxRepositories: env.GUILDHALL_MAX_REPOSITORIES,
    baseUrl: baseUrlOf(env),
    secretKey: env.GUILDHALL_SECRET_KEY,
    registration: env.GUILDHALL_REGISTRATION,
    readOnly: env.GUILDHALL_READ_ONLY,
    expensivePages: env.GUILDHALL_EXPENSIVE_PAGES,
    webhooks: env.GUILDHALL_WEBHOOKS,
    disabledFeatures: env.GUILDHALL_DISABLED_FEATURES,
    externalDisabledFeatures: env.GUILDHALL_EXTERNAL_DISABLED_FEATURES,
    requireAdminScope: env.GUILDHALL_REQUIRE_ADMIN_SCOPE,
    metrics: env.GUILDHALL_METRICS,
    metricsToken: env.GUILDHALL_METRICS_TOKEN,
    logLevel: env.GUILDHALL_LOG_LEVEL,
    trustedProxies: env.GUILDHALL_TRUSTED_PROXIES,
    runnerRegistrationToken: env.GUILDHALL_RUNNER_REGISTRATION_TOKEN,
    webhookLogDays: env.GUILDHALL_WEBHOOK_LOG_DAYS,
    webhookAllowedHosts: env.GUILDHALL_WEBHOOK_ALLOWED_HOSTS,
    ...sshOf(env),
    firstAdmin: firstAdminOf(env),
    backup: backupSettingsOf(env),
  }
}

/**
 * Settings that locate a site's data: the database, the data directory, the Git repositories, and the object
 * storage.
 */
export type DataLocations = Pick<Config, 'databaseUrl' | 'dataDir' | 'repositoryDir' | 'storage'>

const DataEnvironment = Environment.pick({
  DATABASE_URL: true,
  GUILDHALL_DATA_DIR: true,
  GUILDHALL_REPOSITORY_DIR: true,
}).extend(storageVariables)

/**
 * Parses only those environment variables that locate a site's data, such as its database.
 * @throws {ConfigError} naming every invalid variable among them
 */
export function parseDataLocations(environment: Record<string, string | undefined>): DataLocations {
  return dataLocationsOf(parse(DataEnvironment, environment))
}

const BackupEnvironment = z.object(backupVariables)

/**
 * Parses only those environment variables that backups need.
 * @throws {ConfigError} naming every invalid variable among them
 */
export function parseBackupSettings(environment: Record<string, string | undefined>): BackupSettings {
  return backupSettingsOf(parse(BackupEnvironment, environment))
}

function parse<T extends z.ZodObject>(
  schema: T,
  environment: Record<string, string | undefined>,
): z.output<T> {
  const complete = withSecretFiles(environment, Object.keys(schema.shape))
  const present = Object.fromEntries(Object.entries(complete).filter(([, value]) => value !== ''))
  const parsed = schema.safeParse(present)
  if (parsed.success) return parsed.data
  const lines = parsed.error.issues.map(issue => `${String(issue.path[0])}: ${issue.message}`)
  throw new ConfigError(lines.join('\n'))
}

function dataLocationsOf(env: z.output<typeof DataEnvironment>): DataLocations {
  return {
    databaseUrl: env.DATABASE_URL,
    dataDir: resolve(env.GUILDHALL_DATA_DIR),
    // Without this comment, Next's bundler would include the whole project.
    repositoryDir: resolve(
      /*turbopackIgnore: true*/ env.GUILDHALL_REPOSITORY_DIR ?? join(env.GUILDHALL_DATA_DIR, 'repositories'),
    ),
    storage: storageSettingsOf(env, env.GUILDHALL_DATA_DIR),
  }
}

const baseUrlOf = (env: z.output<typeof Environment>): string =>
  env.GUILDHALL_BASE_URL ?? `http://localhost:${env.PORT}`

// If another program accepts the SSH connections, the public port is the only setting that enables the SSH
// address.
function sshOf(
  env: z.output<typeof Environment>,
): Pick<Config, 'sshListen' | 'sshSocket' | 'sshHostKeyFiles' | 'sshAddress'> {
  const own = env.GUILDHALL_SSH_PORT
  const port = env.GUILDHALL_SSH_PUBLIC_PORT ?? own
  const host = env.GUILDHALL_SSH_PUBLIC_HOST ?? new URL(baseUrlOf(env)).hostname.replace(/^\[(.*)\]$/, '$1')
  return {
    sshListen: own === undefined ? undefined : { host: env.GUILDHALL_SSH_HOST ?? env.HOST, port: own },
    sshSocket: sshSocketPath(env.GUILDHALL_SSH_SOCKET, env.GUILDHALL_DATA_DIR),
    sshHostKeyFiles: env.GUILDHALL_SSH_HOST_KEYS,
    sshAddress: port === undefined ? undefined : { user: env.GUILDHALL_SSH_USER, host, port },
  }
}

function refuseProcesses({
  DATABASE_URL: url,
  GUILDHALL_PROCESSES: count,
}: z.output<typeof Environment>): void {
  if (url !== undefined || count === 'auto' || count === 1) return
  throw new ConfigError(
    'GUILDHALL_PROCESSES: only one process can use the embedded database; set DATABASE_URL to use a PostgreSQL server, or GUILDHALL_PROCESSES to 1',
  )
}

function refuseSamePort(env: z.output<typeof Environment>): void {
  const isSameHost = (env.GUILDHALL_SSH_HOST ?? env.HOST) === env.HOST
  if (env.GUILDHALL_SSH_PORT !== env.PORT || !isSameHost) return
  throw new ConfigError('GUILDHALL_SSH_PORT: must differ from PORT')
}

function firstAdminOf(env: z.output<typeof Environment>): Config['firstAdmin'] {
  const { GUILDHALL_ADMIN_USER: name, GUILDHALL_ADMIN_PASSWORD: password, GUILDHALL_ADMIN_EMAIL: email } = env
  if (!name && !password && !email) return undefined
  if (name && password && email) return { name, password, email }
  throw new ConfigError(
    'GUILDHALL_ADMIN_USER, GUILDHALL_ADMIN_PASSWORD, and GUILDHALL_ADMIN_EMAIL: set all three or none',
  )
}

/** Names of all settings. */
export const settingNames: readonly string[] = [
  ...Object.keys(Environment.shape),
  ...secretSettings.map(fileSettingOf),
]

/**
 * Returns the names of environment variables that start with `GUILDHALL_` but are not settings. They are
 * usually typos and deserve a warning.
 */
export function unknownVariables(environment: Record<string, string | undefined>): string[] {
  return Object.keys(environment).filter(
    name =>
      name.startsWith('GUILDHALL_') && !settingNames.includes(name) && !name.startsWith('GUILDHALL_TEST_'),
  )
}
