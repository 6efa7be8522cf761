import { type OpenDatabase, openDatabase } from '@/db/client'
import { createLoginLimiter, type LoginLimiter } from '@/server/kernel/auth/login-limiter'
import { anonymous } from '@/server/kernel/caller'
import { type Clock, systemClock } from '@/server/kernel/clock'
import { type Config, ConfigError, parseConfig, unknownVariables } from '@/server/kernel/config'
import type { ServiceCtx } from '@/server/kernel/ctx'
import { isDomainError } from '@/server/kernel/errors'
import { requireGit } from '@/server/kernel/git/require'
import { createLog, type Logger } from '@/server/kernel/log'
import { createMetrics, type Metrics } from '@/server/kernel/metrics'
import { forgetProcessWide, processWide } from '@/server/kernel/process-wide'
import { loadSecretKey } from '@/server/kernel/secret-key'
import { installPushHooks } from '@/server/repos/git'
import { anyUserExists, setUp } from '@/server/users'

/** What lives as long as the process and every request shares. */
export interface Services {
  config: Config
  database: OpenDatabase
  log: Logger
  clock: Clock
  loginLimiter: LoginLimiter
  metrics: Metrics
  /** False once the process has begun to stop. */
  ready: boolean
  /** A front door serves the API; the same handlers behind Next then stay shut. */
  fronted: boolean
}

/**
 * Opens everything a process needs: git, key, database (migrated), the first administrator when the environment names
 * one. Throws ConfigError for what whoever started it can mend.
 */
export async function openServices(config: Config, log = createLog(config.logLevel)): Promise<Services> {
  await requireGit()
  const secretKey = await loadSecretKey(config)
  await installPushHooks(config)
  const database = await openDatabase({
    databaseUrl: config.databaseUrl,
    dataDir: config.dataDir,
    // Not the error itself: the pool puts the whole client into it.
    onError: ({ message }) => log.warn({ reason: message }, 'database connection lost'),
  })
  const services: Services = {
    config: { ...config, secretKey },
    database,
    log,
    clock: systemClock,
    loginLimiter: createLoginLimiter(database.pool),
    metrics: createMetrics(),
    ready: true,
    fronted: false,
  }
  try {
    await makeFirstAdmin(services)
  } catch (error) {
    await database.close()
    throw error
  }
  return services
}

/** The services of this process, opened from its environment on first use: the front door's, or plain Next's. */
export function services(): Promise<Services> {
  return processWide('services', () => {
    const config = parseConfig(process.env)
    const log = createLog(config.logLevel)
    for (const name of unknownVariables(process.env))
      log.warn({ name }, 'unknown variable in the environment')
    const opening = openServices(config, log)
    opening.catch(() => forgetProcessWide('services'))
    return opening
  })
}

/** Makes a verb's context for somebody who is not signed in: start-up and requests begin with it. */
export function contextOf(
  services: Services,
  requestId: string,
  remoteAddress: string,
  gone?: ServiceCtx['gone'],
): ServiceCtx {
  const { config, database, log, clock, loginLimiter } = services
  const around = { requestId, remoteAddress, gone }
  return { db: database.db, caller: anonymous, config, clock, log, loginLimiter, ...around }
}

async function makeFirstAdmin(services: Services): Promise<void> {
  const first = services.config.firstAdmin
  if (!first || (await anyUserExists(services.database.db))) return
  const ctx = contextOf(services, 'start', '')
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
