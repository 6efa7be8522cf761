import { type OpenDatabase, openDatabase } from '@/db/client'
import { linkProcesses, type ProcessLink } from '@/server/events'
import { type Background, createBackground } from '@/server/kernel/background'
import { blaming } from '@/server/kernel/blame'
import { anonymous } from '@/server/kernel/caller'
import { type Clock, systemClock } from '@/server/kernel/clock'
import { type Config, parseConfig, unknownVariables } from '@/server/kernel/config'
import { ConfigError } from '@/server/kernel/config-error'
import type { ServiceCtx, SharedServices } from '@/server/kernel/ctx'
import { isDomainError } from '@/server/kernel/errors'
import { makeDirectory } from '@/server/kernel/fs/fsync'
import { requireGit } from '@/server/kernel/git/require'
import { slowGit } from '@/server/kernel/git/run'
import { launcherState, launches } from '@/server/kernel/launcher/launch'
import { createLog, type Logger } from '@/server/kernel/log'
import { createLoginLimiter } from '@/server/kernel/login-limiter'
import { createMetrics, type Metrics } from '@/server/kernel/metrics'
import { speaksForSite } from '@/server/kernel/processes/supervised'
import { forgetSingleton, singleton } from '@/server/kernel/singleton'
import { openStorage } from '@/server/kernel/storage/open'
import type { ObjectStorage } from '@/server/kernel/storage/types'
import {
  guardedStorage,
  guardLocations,
  locationsOf,
  proveBelongings,
  settleBelongings,
} from '@/server/marks'
import { installPushHooks } from '@/server/repos/push'
import { anyUserExists, setUp } from '@/server/users'

/**
 * Objects that exist once per process. Service functions receive the subset that `SharedServices` defines.
 */
export interface Services extends SharedServices {
  database: OpenDatabase
  metrics: Metrics
  background: Background
  /** Connection to other processes on the same database server; absent if there can be none. */
  link?: ProcessLink
  /** Whether a newer version has migrated the database, so that this process must no longer write. */
  outdated: boolean
  /** Whether the process has just started and its first pages would be slow. */
  warming: boolean
  /** False once the process has started to stop. */
  accepting: boolean
  /** Whether another process has taken over, so that this one only answers on connections that are open. */
  retiring: boolean
  /**
   * Whether our own HTTP server runs in front of Next. Next's mounts of the same handlers then respond with
   * 404.
   */
  ownsHttp: boolean
}

/**
 * Opens everything a process needs: Git, the storage, the migrated database, the secret key, and the first
 * administrator if the environment specifies one. Before it migrates or writes anything, it checks that all
 * of them belong to one site.
 * @throws {ConfigError} for problems that the operator can fix.
 */
export async function openServices(config: Config, log = createLog(config.logLevel)): Promise<Services> {
  await requireGit()
  // With the embedded database, the directory itself contains the site's marks.
  if (!config.databaseUrl) await blaming('GUILDHALL_DATA_DIR', () => makeDirectory(config.dataDir))
  const storage = await openStorage(config.storage, log)
  const belongings = { config, locations: locationsOf(config, storage), log }
  const database = await blaming(config.databaseUrl ? 'DATABASE_URL' : 'GUILDHALL_DATA_DIR', () =>
    openDatabase({
      databaseUrl: config.databaseUrl,
      dataDir: config.dataDir,
      beforeMigrating: db => proveBelongings(db, belongings),
      // Not the error itself, because the pool attaches the whole client to it.
      onSlow: query => log.warn(query, 'slow query'),
      onError: ({ message }) => log.warn({ reason: message }, 'database connection lost'),
    }),
  )
  try {
    const secretKey = await settleBelongings(database, belongings)
    await blaming('GUILDHALL_DATA_DIR', () => makeDirectory(config.dataDir))
    await blaming('GUILDHALL_REPOSITORY_DIR', () => installPushHooks(config))
    const services = createServices({ ...config, secretKey }, database, storage, log)
    await makeFirstAdmin(services)
    const { databaseUrl } = config
    if (databaseUrl) services.link = await linkProcesses({ ...services, databaseUrl })
    return services
  } catch (error) {
    await database.close()
    throw error
  }
}

/** Builds the services around an open database and storage. */
export function createServices(
  config: Config,
  database: OpenDatabase,
  storage: ObjectStorage,
  log: Logger,
  clock: Clock = systemClock,
): Services {
  const ownLocations = guardLocations(database.db, locationsOf(config, storage), log)
  return {
    config,
    db: database.db,
    storage: guardedStorage(storage, ownLocations),
    ownLocations,
    clock,
    log,
    loginLimiter: createLoginLimiter(database.pool),
    database,
    metrics: createMetrics(),
    background: createBackground(),
    outdated: false,
    warming: false,
    accepting: true,
    retiring: false,
    ownsHttp: false,
  }
}

/** Returns the services of this process, opened from its environment on first use. */
export function processServices(): Promise<Services> {
  return singleton('services', () => {
    const config = parseConfig(process.env)
    const log = createLog(config.logLevel)
    for (const name of speaksForSite() ? unknownVariables(process.env) : [])
      log.warn({ name }, 'unknown variable in the environment')
    launches().onLost = reason =>
      log.warn({ reason }, 'the launcher, which starts git, exited; starting it again')
    slowGit().listener = command => log.warn(command, 'slow git command')
    if (!launcherState()) log.warn('no launcher is running: the server starts git itself, which is slower')
    const opening = openServices(config, log)
    opening.catch(() => forgetSingleton('services'))
    return opening
  })
}

/** Returns the service context for a request whose credentials have not been read yet. */
export function requestContext(
  services: Services,
  request: Pick<ServiceCtx, 'requestId' | 'remoteAddress' | 'disconnected'>,
): ServiceCtx {
  const { requestId, remoteAddress, disconnected } = request
  return { ...sharedOf(services), caller: anonymous, requestId, remoteAddress, disconnected }
}

/** Returns the service context for work that no request asked for, such as startup and background jobs. */
export function jobContext(services: Services, name: string): ServiceCtx {
  return {
    ...sharedOf(services),
    caller: { kind: 'system', job: name },
    requestId: name,
    remoteAddress: '',
  }
}

// Named one by one, because "everything except" would be copied slowly, for every request.
const sharedOf = ({
  db,
  storage,
  ownLocations,
  config,
  clock,
  log,
  loginLimiter,
}: Services): SharedServices => ({
  db,
  storage,
  ownLocations,
  config,
  clock,
  log,
  loginLimiter,
})

async function makeFirstAdmin(services: Services): Promise<void> {
  const first = services.config.firstAdmin
  if (!first || (await anyUserExists(services.database.db))) return
  const ctx = jobContext(services, 'start')
  try {
    await setUp(ctx, { username: first.name, email: first.email, password: first.password })
  } catch (error) {
    // Another process that starts on the same database may have created the account first.
    if (isDomainError(error) && error.kind === 'forbidden') return
    if (!isDomainError(error) || error.field !== 'username') throw error
    throw new ConfigError(`GUILDHALL_ADMIN_USER: ${error.message}; choose another name, such as site-admin`, {
      cause: error,
    })
  }
  services.log.info({ name: first.name }, 'created the first administrator')
}
