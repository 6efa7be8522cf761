import { rename } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, describe, expect, it, vi } from 'vitest'
import { startPostgres } from '@/db/testing/postgres-server'
import { freePort } from '@/testing/ports'
import { childrenOf } from '@/testing/process-tree'
import { openReceiver, type Receiver } from '@/testing/receiver'
import { series } from '@/testing/series'
import { generateKey, hasSsh, sshOptions } from '@/testing/ssh'
import { addKey, adminToken, allTitles } from './api'
import { type Guildhall, start, startAndFail, temporaryDirectory } from './guildhall'
import {
  apiOf,
  embeddedSite,
  letAMinutePass,
  makeOrganization,
  siteOnPostgres,
  type TestSite,
  untilDelivered,
} from './hooks'
import { arrivedEvents, type Failure, type Load, putUnderLoad } from './load'

const postgres = process.platform === 'linux' ? await startPostgres() : undefined
afterAll(() => postgres?.stop())

const kills = series(1, Number(process.env.GUILDHALL_TEST_PROCESS_KILLS ?? 3))
const replacements = Math.ceil(kills / 4)
// Enough for Git to report a connection that was reset, even on a busy host.
const promptMs = 5_000

describe.skipIf(!postgres)('a site with two processes', () => {
  it(`loses only requests that are open in a process that is killed (kills: ${kills})`, {
    tags: 'series',
    timeout: 180_000 + 60_000 * kills,
  }, async () => {
    await underLoad(async ({ guildhall, load }) => {
      const ends: { at: number; noticed: number }[] = []
      for (let kill = 0; kill < kills; kill++) {
        await makesProgress(load)
        await delay(Math.random() * 300)
        const servers = await childrenOf(guildhall.pid)
        const at = performance.now()
        await killChild(guildhall, servers[kill % servers.length]!)
        ends.push({ at, noticed: performance.now() })
        await makesProgress(load)
        await untilBothServe(guildhall)
      }
      await load.stop()
      const wasOpen = ({ from, to }: Failure): boolean =>
        ends.some(({ at, noticed }) => from <= noticed && at <= to && to <= noticed + promptMs)
      const hasStatus = ({ what }: Failure): boolean => /^\d{3} /.test(what)
      expect(load.failures.filter(failure => hasStatus(failure) || !wasOpen(failure))).toEqual([])
    })
  })

  it(`loses no request when both are replaced (replacements: ${replacements})`, {
    tags: 'slow',
    timeout: 180_000 + 180_000 * replacements,
  }, async () => {
    await underLoad(async ({ guildhall, load }) => {
      await makesProgress(load)
      const counted = await requestsCounted(guildhall)
      for (let replacement = 0; replacement < replacements; replacement++) {
        const old = await childrenOf(guildhall.pid)
        process.kill(guildhall.pid, 'SIGHUP')
        const remaining = async () => (await childrenOf(guildhall.pid)).filter(pid => old.includes(pid))
        await expect.poll(remaining, { timeout: 180_000, interval: 100 }).toEqual([])
        await makesProgress(load)
      }
      await load.stop()
      expect(load.failures).toEqual([])
      expect(await requestsCounted(guildhall)).toBeGreaterThanOrEqual(counted)
    })
  })

  it('replaces the first process once it has started, if that was asked for before', {
    tags: 'slow',
    timeout: 120_000,
  }, async () => {
    await using site = await siteOnPostgres(postgres!.url)
    const environment = { ...site.environment, GUILDHALL_PROCESSES: '2', GUILDHALL_LOG_LEVEL: 'info' }
    const { guildhall, first } = await startWithHangup(environment)
    try {
      await guildhall.printed('replaced all server processes')
      await expect.poll(() => childrenOf(guildhall.pid), { timeout: 60_000 }).not.toContain(first)
    } finally {
      await guildhall.end('SIGTERM')
    }
  })

  it('starts a process again with pauses while it cannot start, and the other one serves', {
    tags: 'slow',
    timeout: 120_000,
  }, async () => {
    await using site = await siteOnPostgres(postgres!.url)
    const guildhall = await start({
      ...site.environment,
      GUILDHALL_PROCESSES: '2',
      GUILDHALL_METRICS: 'on',
    })
    await untilBothServe(guildhall)
    const repositories = join(site.environment.GUILDHALL_DATA_DIR!, 'repositories')
    await rename(repositories, `${repositories}-away`)
    const [victim] = await childrenOf(guildhall.pid)
    process.kill(victim!, 'SIGKILL')
    await guildhall.printed('"pauseMs":2000')
    expect((await fetch(`${guildhall.url}/healthz`)).status).toBe(200)
    await rename(`${repositories}-away`, repositories)
    await untilBothServe(guildhall)
    expect(await metricOf(guildhall, 'guildhall_process_restarts_total')).toBeGreaterThanOrEqual(3)
    expect(await guildhall.end('SIGTERM')).toBe(0)
    expect(guildhall.output().match(/Guildhall is running/g)).toHaveLength(1)
  })
})

it.skipIf(process.platform !== 'linux')(
  'a site with one process starts in spite of a SIGHUP',
  {
    tags: 'slow',
  },
  async () => {
    await using site = await embeddedSite()
    const { guildhall } = await startWithHangup(site.environment)
    try {
      await guildhall.printed('SIGHUP replaces server processes only if there are several')
    } finally {
      expect(await guildhall.end('SIGTERM')).toBe(0)
    }
  },
)

it('a site with several processes that cannot start says so once and exits with code 1', async () => {
  await using directory = await temporaryDirectory()
  const { code, output } = await startAndFail({
    DATABASE_URL: 'postgres://guildhall@127.0.0.1:1/none',
    GUILDHALL_DATA_DIR: directory.path,
    GUILDHALL_PROCESSES: '3',
  })
  expect(code).toBe(1)
  expect(output.match(/Guildhall cannot start/g)).toHaveLength(1)
  expect(output).toContain('DATABASE_URL')
})

/**
 * Starts a site with two processes, calls `use` while clients read, change and push, and expects that nothing that
 * was acknowledged is lost or delivered twice.
 */
async function underLoad(
  use: (running: { guildhall: Guildhall; load: Load }) => Promise<void>,
): Promise<void> {
  await using site = await siteOnPostgres(postgres!.url)
  await using directory = await temporaryDirectory()
  const receiver = await openReceiver()
  const sshPort = await freePort()
  const guildhall = await start({
    ...site.environment,
    GUILDHALL_PROCESSES: '2',
    GUILDHALL_METRICS: 'on',
    GUILDHALL_SSH_PORT: String(sshPort),
  })
  const api = await makeOrganization(guildhall.url, [receiver.url])
  await api.call('POST', '/orgs/acme/repos', { name: 'tools' })
  await untilBothServe(guildhall)
  const ssh = hasSsh ? await remoteOver(sshPort, guildhall.url, api.token, directory.path) : undefined
  const load = putUnderLoad(() => guildhall.url, api.token, directory.path, ssh)
  try {
    await use({ guildhall, load })
    await expectAllOnce(site, guildhall, api.token, load, receiver)
    expect(await guildhall.end('SIGTERM')).toBe(0)
  } finally {
    await load.stop()
    await guildhall.end('SIGKILL')
    await receiver.close()
  }
}

/** Starts a site, and sends it a SIGHUP as soon as it has started another process, whose ID is returned, too. */
async function startWithHangup(
  environment: Record<string, string>,
): Promise<{ guildhall: Guildhall; first: number }> {
  const others = await childrenOf(process.pid)
  const starting = start(environment)
  const first = await vi.waitFor(
    async () => {
      const [site] = (await childrenOf(process.pid)).filter(pid => !others.includes(pid))
      const [child] = await childrenOf(site!)
      process.kill(site!, child === undefined ? 0 : 'SIGHUP')
      return child ?? Promise.reject(new Error('no process has been started yet'))
    },
    { timeout: 30_000, interval: 5 },
  )
  return { guildhall: await starting, first }
}

/**
 * Kills a child process. Returns once its parent has noticed: the system has closed its connections by then, and
 * this process has learned of it.
 */
async function killChild({ pid }: Guildhall, child: number): Promise<void> {
  process.kill(child, 'SIGKILL')
  while ((await childrenOf(pid)).includes(child)) await delay(5)
  await delay(20)
}

async function metricOf({ url }: Guildhall, name: string): Promise<number> {
  const lines = (await (await fetch(`${url}/metrics`)).text()).split('\n')
  return Number(lines.find(line => line.startsWith(`${name} `))?.split(' ')[1])
}

/** Returns the number of requests that the processes have counted, also those that have ended. */
async function requestsCounted({ url }: Guildhall): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text()
  const counts = text.match(/^guildhall_http_requests_total\{.*\} (\d+)$/gm) ?? []
  return counts.reduce((sum, line) => sum + Number(line.slice(line.lastIndexOf(' '))), 0)
}

const untilBothServe = (guildhall: Guildhall): Promise<void> =>
  expect
    .poll(() => metricOf(guildhall, 'guildhall_processes').catch(() => 0), { timeout: 90_000, interval: 100 })
    .toBe(2)

async function makesProgress(load: Load): Promise<void> {
  const soon = load.acknowledged.length + 6
  await expect.poll(() => load.acknowledged.length, { timeout: 60_000, interval: 20 }).toBeGreaterThan(soon)
}

/** Registers a key and returns how git reaches the repository with it. */
async function remoteOver(port: number, url: string, token: string, directory: string) {
  const { file, publicKey } = await generateKey(directory)
  await addKey(url, token, { title: 'laptop', key: publicKey })
  return {
    address: `ssh://git@127.0.0.1:${port}/acme/tools.git`,
    command: ['ssh', ...sshOptions(file, port)].join(' '),
  }
}

/** Expects that nothing acknowledged was lost, and that each event was delivered once. */
async function expectAllOnce(
  site: TestSite,
  { url }: Guildhall,
  token: string,
  { acknowledged, keys }: Load,
  receiver: Receiver,
): Promise<void> {
  const titles = await allTitles(url, token)
  expect(keys.filter(title => !titles.has(title))).toEqual([])
  // Killed processes hold leases for a minute.
  await site.inDatabase(letAMinutePass)
  await untilDelivered(apiOf(url, await adminToken(url)))
  const arrived = new Set(arrivedEvents(receiver))
  expect(acknowledged.filter(event => !arrived.has(event))).toEqual([])
  const rows = await site.inDatabase(db =>
    db.selectFrom('hook_deliveries').select(['event_id', 'status', 'hook_id']).execute(),
  )
  expect(new Set(rows.map(({ status }) => status))).toEqual(new Set(['delivered']))
  expect(new Set(rows.map(({ event_id, hook_id }) => `${event_id} ${hook_id}`)).size).toBe(rows.length)
}
