import { type OpenDatabase, openDatabase } from '@/db/client'
import { linkProcesses, type ProcessLink } from '@/server/events'
import { createLoginLimiter } from '@/server/kernel/auth/login-limiter'
import { type Background, createBackground } from '@/server/kernel/background'
import { anonymous } from '@/server/kernel/caller'
import { type Clock, systemClock } from '@/server/kernel/clock'
import { type Config, parseConfig, unknownVariables } from '@/server/kernel/config'
import { ConfigError } from '@/server/kernel/config-error'
import type { ServiceCtx, SharedServices } from '@/server/kernel/ctx'
import { isDomainError } from '@/server/kernel/errors'
import { requireGit } from '@/server/kernel/git/require'
import { createLog, type Logger } from '@/server/kernel/log'
import { createMetrics, type Metrics } from '@/server/kernel/metrics'
import { loadSecretKey } from '@/server/kernel/secret-key'
import { forgetSingleton, singleton } from '@/server/kernel/singleton'
import { openStorage } from '@/server/kernel/storage/open'
import type { ObjectStorage } from '@/server/kernel/storage/types'
import { installPushHooks } from '@/server/repos/push'
import { anyUserExists, setUp } from '@/server/users'

/** What lives as long as the process. Verbs see the part that `SharedServices` names. */
export interface Services extends SharedServices {
  database: OpenDatabase
  metrics: Metrics
  background: Background
  /** To other processes on the same server; absent where there can be none. */
  link?: ProcessLink
  /** False once the process has begun to stop. */
  accepting: boolean
  /** Our own HTTP server runs in front of Next, whose mounts of the same handlers then answer 404. */
  ownsHttp: boolean
}

/**
 * Opens everything a process needs: git, key, storage, database (migrated), the first administrator when the environment names
 * one.
 * @throws {ConfigError} for problems that the operator can fix.
 */
export async function openServices(config: Config, log = createLog(config.logLevel)): Promise<Services> {
  await requireGit()
  const secretKey = await loadSecretKey(config)
  await installPushHooks(config)
  const storage = await openStorage(config.storage, log)
  const database = await openDatabase({
    databaseUrl: config.databaseUrl,
    dataDir: config.dataDir,
    // Not the error itself: the pool puts the whole client into it.
    onError: ({ message }) => log.warn({ reason: message }, 'database connection lost'),
  })
  const services = createServices({ ...config, secretKey }, database, storage, log)
  try {
    await makeFirstAdmin(services)
  } catch (error) {
    await database.close()
    throw error
  }
  const { databaseUrl } = config
  if (databaseUrl) services.link = await linkProcesses({ ...services, databaseUrl })
  return services
}

/** Builds the services around an open database and storage. */
export function createServices(
  config: Config,
  database: OpenDatabase,
  storage: ObjectStorage,
  log: Logger,
  clock: Clock = systemClock,
): Services {
  return {
    config,
    db: database.db,
    storage,
    clock,
    log,
    loginLimiter: createLoginLimiter(database.pool),
    database,
    metrics: createMetrics(),
    background: createBackground(),
    accepting: true,
    ownsHttp: false,
  }
}

/** Returns the services of this process, opened from its environment on first use. */
export function processServices(): Promise<Services> {
  return singleton('services', () => {
    const config = parseConfig(process.env)
    const log = createLog(config.logLevel)
    for (const name of unknownVariables(process.env))
      log.warn({ name }, 'unknown variable in the environment')
    const opening = openServices(config, log)
    opening.catch(() => forgetSingleton('services'))
    return opening
  })
}

/** Makes the context of a verb for a request whose credentials are not read yet. */
export function requestContext(
  services: Services,
  request: Pick<ServiceCtx, 'requestId' | 'remoteAddress' | 'gone'>,
): ServiceCtx {
  const { requestId, remoteAddress, gone } = request
  return { ...sharedOf(services), caller: anonymous, requestId, remoteAddress, gone }
}

/** Makes the context of a verb that nobody asked for: start-up and background jobs. */
export function jobContext(services: Services, name: string): ServiceCtx {
  return {
    ...sharedOf(services),
    caller: { kind: 'system', job: name },
    requestId: name,
    remoteAddress: '',
  }
}

function sharedOf(services: Services): SharedServices {
  const { database, metrics, background, link, accepting, ownsHttp, ...shared } = services
  return shared
}

async function makeFirstAdmin(services: Services): Promise<void> {
  const first = services.config.firstAdmin
  if (!first || (await anyUserExists(services.database.db))) return
  const ctx = jobContext(services, 'start')
  try {
    await setUp(ctx, { username: first.name, email: first.email, password: first.password })
  } catch (error) {
    // Another process that starts on the same database may have been quicker.
    if (isDomainError(error) && error.kind === 'forbidden') return
    if (!isDomainError(error) || error.field !== 'username') throw error
    throw new ConfigError(`GUILDHALL_ADMIN_USER: ${error.message}; choose another name, such as site-admin`, {
      cause: error,
    })
  }
  services.log.info({ name: first.name }, 'made the first administrator')
}
