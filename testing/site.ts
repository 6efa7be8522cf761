import { randomBytes } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll } from 'vitest'
import type { Db } from '@/db/client'
import { openTestDatabase } from '@/db/testing/test-database'
import { mounts } from '@/server/api/mounts'
import { handlerName } from '@/server/api/next-mounts'
import { createHttpServer, keepAliveMs } from '@/server/http/server'
import type { Config } from '@/server/kernel/config'
import { parseAllowedHosts } from '@/server/kernel/egress'
import { launches, useLauncher } from '@/server/kernel/launcher/launch'
import { createLog, type Logger } from '@/server/kernel/log'
import { forgetSingleton, singleton } from '@/server/kernel/singleton'
import { createDiskStorage } from '@/server/kernel/storage/disk/disk'
import { createServices, type Services } from '@/server/services'

/**
 * A Guildhall instance on the loopback interface with a database of its own. The environment of the test
 * project selects whether Guildhall's HTTP server or plain Next.js handles requests.
 */
export interface Site {
  url: string
  db: Db
  services: Services
  now: { set(date: Date | undefined): void }
  close(): Promise<void>
}

export const mount = process.env.GUILDHALL_TEST_MOUNT === 'next' ? 'next' : 'server'

/** Starts a site before the tests of the current `describe` block or file, and closes it after them. */
export function useSite(overrides: Partial<Config> = {}, log?: Logger): Site {
  const holder = {} as Site
  beforeAll(async () => void Object.assign(holder, await openSite(overrides, log)))
  afterAll(() => holder.close?.())
  return holder
}

export async function openSite(overrides: Partial<Config> = {}, log?: Logger): Promise<Site> {
  const database = await openTestDatabase()
  // Guildhall's server starts Git through the launcher. On plain Next.js, there is no launcher.
  if (mount === 'server' && !launches().launcher) await useLauncher(join(process.cwd(), 'dist/launcher.js'))
  const server = createServer({ keepAliveTimeout: keepAliveMs })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  let fixed: Date | undefined
  const home = await mkdtemp(join(tmpdir(), 'guildhall-site-'))
  const repositoryDir = join(home, 'repositories')
  const storageDir = join(home, 'objects')
  const config: Config = { ...baseConfig(url), repositoryDir, ...overrides }
  const clock = { now: () => fixed ?? new Date() }
  const siteLog = log ?? createLog(config.logLevel)
  const storage = createDiskStorage(storageDir, siteLog)
  const services = createServices(config, database, storage, siteLog, clock)
  await mountOn(server, services)
  return {
    url,
    db: database.db,
    services,
    now: {
      set: date => {
        fixed = date
      },
    },
    async close() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
      await database.close()
      await rm(home, { recursive: true, force: true })
    },
  }
}

async function mountOn(server: Server, services: Services): Promise<void> {
  for (const name of ['services', ...mounts.map(handlerName)]) forgetSingleton(name)
  singleton('services', () => Promise.resolve(services))
  if (mount === 'next') {
    const { plainNext } = await import('./plain-next')
    server.on('request', await plainNext())
    return
  }
  const front = createHttpServer(services, (_request, response) => void response.writeHead(404).end())
  for (const event of ['request', 'checkContinue', 'clientError']) {
    server.on(event, (...args) => front.emit(event, ...args))
  }
}

function baseConfig(url: string): Config {
  return {
    port: 0,
    host: '127.0.0.1',
    databaseUrl: undefined,
    dataDir: '/nonexistent',
    repositoryDir: '/nonexistent',
    storage: { kind: 'disk', directory: '/nonexistent' },
    serveDirect: false,
    attachments: true,
    artifactBaseUrl: undefined,
    actionsUrl: 'https://github.com',
    artifactRetentionDays: 90,
    artifactMaxBytes: Infinity,
    logMaxBytes: 64 * 1024 * 1024,
    releaseMaxBytes: 2048 * 1024 * 1024,
    releaseAllowedTypes: [],
    maxPushBytes: 1024 * 1024 * 1024,
    gitMemoryBytes: 8 * 1024 * 1024 * 1024,
    maxRepositories: 1000,
    expensivePages: 'everyone',
    baseUrl: url,
    secretKey: randomBytes(32).toString('hex'),
    registration: false,
    readOnly: false,
    webhooks: true,
    disabledFeatures: new Set(),
    externalDisabledFeatures: new Set(),
    requireAdminScope: false,
    metrics: false,
    metricsToken: undefined,
    logLevel: 'error',
    trustedProxies: () => false,
    runnerRegistrationToken: undefined,
    webhookLogDays: 30,
    webhookAllowedHosts: parseAllowedHosts('loopback'),
    sshListen: undefined,
    sshSocket: undefined,
    sshHostKeyFiles: [],
    sshAddress: { user: 'git', host: 'forge.example.com', port: 2222 },
    firstAdmin: undefined,
    backup: { to: undefined, everyMs: 86_400_000, keep: 7, passphrase: undefined, publicKey: undefined },
  }
}
