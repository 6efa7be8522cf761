import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import next from 'next'
import { refuseChanges } from '@/db/refuse-changes'
import { openPageProcedures } from '@/server/api/trpc/page-procedures'
import { listenForBackups } from '@/server/backups'
import { clearSpareBuffers } from '@/server/http/collected-bytes'
import { freeAtRest } from '@/server/http/free-at-rest'
import { createHttpServer } from '@/server/http/server'
import { type Listener, stopOnSignal } from '@/server/http/stop'
import { createUnchangedPages } from '@/server/http/unchanged-pages/unchanged-pages'
import { warmPages } from '@/server/http/warm-pages'
import { startJobs } from './jobs/runner'
import { watchSchema } from './jobs/watch-schema'
import { startWorkers } from './jobs/workers'
import { blaming } from './kernel/blame'
import { parseConfig } from './kernel/config'
import { ConfigError } from './kernel/config-error'
import { ownState } from './kernel/processes/states'
import { speaksForSite, supervisorOf } from './kernel/processes/supervised'
import { singleton } from './kernel/singleton'
import { listenAt } from './listen-at'
import { startStreams } from './live'
import { nodeWarning } from './node-support'
import { processServices, type Services } from './services'
import type { HostKey } from './ssh/host-keys'
import { listenForOpenSsh } from './ssh/openssh/listener'

/**
 * Main function of the process: opens the services, lets Next serve the pages, starts listening, and prints
 * the site's URL.
 */
async function main(): Promise<void> {
  const { port, host } = parseConfig(process.env)
  const services = await processServices()
  const development = process.argv.includes('--dev')
  // Next takes over every upgrade of the server it is given, and leaves those it does not know open forever.
  // In development it needs our server to notify pages of changes; otherwise Node handles an upgrade request
  // like any other request.
  const upgrades = development ? {} : { httpServer: createServer() }
  // In development, pages use the procedures that are compiled with them.
  if (!development) singleton('page-procedures', async () => openPageProcedures)
  const unchanged = development ? undefined : createUnchangedPages(openPageProcedures)
  singleton('own-compression', () => true)
  const pages = next({ dev: development, dir: process.cwd(), hostname: host, port, ...upgrades })
  await pages.prepare()
  const renderPage = pages.getRequestHandler()
  const server = createHttpServer(services, renderPage, { unchanged })
  freeAtRest(server, () => {
    unchanged?.clear()
    clearSpareBuffers()
  })
  startStreams(services)
  const { readOnly } = services.config
  const hostKeys = await readHostKeys(services)
  if (readOnly) refuseChanges(services.database)
  const ways = [
    await startSsh(services, hostKeys),
    await startOpenSsh(services),
    await startBackups(services),
  ]
  const listeners = ways.flatMap(one => one ?? [])
  // A backup that is due at the start uses its listener.
  const jobs = readOnly ? nothing : startJobs(services)
  const workers = readOnly ? nothing : startWorkers(services)
  const stopWatching = watchSchema(services, [jobs, workers])
  stopOnSignal(server, services, {
    jobs,
    workers,
    listeners,
    closePages: async () => {
      stopWatching()
      await pages.close()
    },
  })
  // Tests that visit few pages disable it, as in next.config.mjs.
  const warmed =
    development || process.env.GUILDHALL_TEST_LOAD_PAGES === 'later'
      ? undefined
      : warmPages(services, renderPage)
  // Beside the first process, another one joins only when it is as fast. Otherwise /readyz would fail now and then.
  if (!speaksForSite()) await warmed
  await listenAt(
    { host: 'HOST', port: 'PORT' },
    () =>
      new Promise<void>((resolve, reject) => {
        server.once('error', reject)
        server.listen(port, host, resolve)
      }),
  )
  const address = server.address() as AddressInfo
  services.log.info({ host: address.address, port: address.port }, 'listening')
  const supervisor = supervisorOf()
  const { metrics } = services
  supervisor?.onReport(async () => ({ ...ownState(), metrics: await metrics.values() }))
  supervisor?.ready()
  if (speaksForSite()) announce(services)
}

function announce(services: Services): void {
  const warning = nodeWarning(process.versions.node, services.clock.now())
  if (warning) services.log.warn(warning)
  const isEmbedded = services.database.kind === 'embedded'
  if (isEmbedded)
    services.log.info('serving with one process, because only one can use the embedded database')
  const kind = isEmbedded ? 'the embedded database' : 'PostgreSQL'
  process.stdout.write(
    `\nGuildhall is running at ${services.config.baseUrl} (data in ${kind}). Press Ctrl+C to stop.\n\n`,
  )
}

// Background work of a site that is read-only.
const nothing = { stop: async () => undefined }

// Stores them in the database, too.
async function readHostKeys(services: Services): Promise<HostKey[]> {
  const { sshListen, sshHostKeyFiles } = services.config
  // Sites without SSH do not load its library.
  if (!sshListen && sshHostKeyFiles.length === 0) return []
  const { loadHostKeys, publishHostKeys } = await import('./ssh/host-keys')
  if (sshListen) return await blaming('GUILDHALL_DATA_DIR', () => loadHostKeys(services))
  await publishHostKeys(services)
  return []
}

async function startSsh(services: Services, hostKeys: HostKey[]): Promise<Listener | undefined> {
  const at = services.config.sshListen
  if (!at) return undefined
  const { startSshServer } = await import('./ssh/server')
  const names = {
    host: at.host === services.config.host ? 'HOST' : 'GUILDHALL_SSH_HOST',
    port: 'GUILDHALL_SSH_PORT',
    or: ', or off to disable SSH',
  }
  const server = await listenAt(names, () => startSshServer(services, hostKeys, at))
  services.log.info({ host: at.host, port: server.port }, 'listening for SSH')
  return server
}

async function startOpenSsh(services: Services): Promise<Listener | undefined> {
  const path = services.config.sshSocket
  if (path === undefined) return undefined
  const listener = await blaming('GUILDHALL_SSH_SOCKET', () => listenForOpenSsh(services, path))
  services.log.info({ path }, 'listening for OpenSSH')
  return listener
}

// With a PostgreSQL server, the command that makes a backup uses the database itself.
async function startBackups(services: Services): Promise<Listener | undefined> {
  if (services.database.kind === 'server') return undefined
  return await blaming('GUILDHALL_DATA_DIR', () => listenForBackups(services))
}

main().catch((error: Error) => {
  process.stderr.write(`\nGuildhall cannot start.\n${explain(error)}\n`)
  process.exit(1)
})

function explain(error: Error): string {
  if (error instanceof ConfigError) return error.message
  return error.message || String(error)
}
