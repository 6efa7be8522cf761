// @module-tag slow
import { randomBytes } from 'node:crypto'
import { readdir, readFile, readlink, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { afterAll, describe, expect, it } from 'vitest'
import { startPostgres } from '@/db/testing/postgres-server'
import { git, gitOk } from '@/testing/git'
import { childrenOf } from '@/testing/process-tree'
import { adminToken } from './api'
import { admin, start, temporaryDirectory } from './guildhall'
import { apiOf, embeddedSite, siteOnPostgres, type TestSite } from './hooks'
import { recordedHistory, recordedPushes, refsIn, repositoryIn, settlePushes } from './pushes'

const postgres = await startPostgres()
afterAll(() => postgres?.stop())

// If GUILDHALL_TEST_KILLS is set, both kinds of database are tested.
const manyKills = process.env.GUILDHALL_TEST_KILLS
const kills = Number(manyKills ?? 1)
const lanes = ['lane-0', 'lane-1', 'lane-2']
const victims = ['git', 'launcher', 'server'] as const
type Victim = (typeof victims)[number]

// Only Linux lists all processes in /proc.
describe.runIf(process.platform === 'linux')(
  `a site whose processes are killed during pushes, clones, archives and maintenance (kills: ${kills})`,
  () => {
    const timeoutMs = 30_000 + kills * 15_000

    it.skipIf(!postgres).each(victims)(
      'continues and loses no acknowledged push on PostgreSQL after killing: %s',
      async victim => {
        await using site = await siteOnPostgres(postgres!.url)
        await survive(site, victim)
      },
      timeoutMs,
    )

    it.skipIf(postgres && !manyKills).each(victims)(
      'continues and loses no acknowledged push with the embedded database after killing: %s',
      async victim => {
        await using site = await embeddedSite()
        await survive(site, victim)
      },
      timeoutMs,
    )
  },
)

/**
 * Kills processes under load. Expects that no push that Git reported as successful is lost, that no process
 * outlives its server or launcher, and that everything continues.
 */
async function survive({ environment, inDatabase }: TestSite, victim: Victim): Promise<void> {
  await using directory = await temporaryDirectory()
  const data = environment.GUILDHALL_DATA_DIR ?? ''
  let guildhall = await start(environment)
  const { url } = guildhall
  const token = await adminToken(url)
  await apiOf(url, token).call('POST', '/user/repos', { name: 'tools' })
  const repository = await repositoryIn(data)
  // Triggers maintenance after every push.
  await gitOk(['--git-dir', repository, 'config', 'gc.autoPackLimit', '1'])
  const address = `${url.replace('//', `//${admin.name}:${token}@`)}/${admin.name}/tools.git`
  const acknowledged = new Map<string, string>()
  const done = { clones: 0, archives: 0 }
  const over = new AbortController()
  const working = Promise.all([
    ...lanes.map(lane => push(over.signal, address, join(directory.path, lane), lane, acknowledged)),
    repeat(over.signal, async () => {
      const cwd = join(directory.path, 'clone')
      if ((await git(['clone', '-q', address, cwd])).code === 0) done.clones++
      await rm(cwd, { recursive: true, force: true })
    }),
    repeat(over.signal, async () => {
      const archive = `${url}/${admin.name}/tools/archive/${lanes[0]}.zip`
      const response = await fetch(archive, { headers: { authorization: `token ${token}` } })
      if (response.ok && (await response.arrayBuffer()).byteLength > 0) done.archives++
    }),
  ])
  const goesOn = async (): Promise<void> => {
    const [pushes, clones, archives] = [acknowledged.size + lanes.length, done.clones + 1, done.archives + 1]
    const isDone = () => acknowledged.size >= pushes && done.clones >= clones && done.archives >= archives
    await expect.poll(isDone, { timeout: 30_000, interval: 10 }).toBe(true)
  }

  for (let kill = 0; kill < kills; kill++) {
    await goesOn()
    await delay(Math.random() * 150)
    const launcher = await launcherOf(guildhall.pid)
    const running = await processesOf(data, guildhall.pid)
    const pid = { git: running[Math.floor(Math.random() * running.length)], launcher, server: guildhall.pid }[
      victim
    ]
    // The selected process may have ended in the meantime.
    if (pid === undefined || !isKilled(pid)) {
      kill--
      continue
    }
    const left = async () => (await processesOf(data, guildhall.pid)).filter(one => running.includes(one))
    await expect.poll(left, { timeout: 5_000 }).toEqual([])
    if (victim === 'server') {
      await expect.poll(() => environmentOf(launcher), { timeout: 5_000 }).toBe('')
      expect(await guildhall.ended).toBe(null)
      guildhall = await start(environment, url)
    }
  }
  await goesOn()
  over.abort()
  await working
  await guildhall.end('SIGTERM')
  expect(await processesOf(data)).toEqual([])

  await settlePushes(environment)
  await gitOk(['--git-dir', repository, 'fsck', '--strict', '--no-dangling'])
  const pushes = await inDatabase(recordedPushes)
  const afters = pushes.map(({ after }) => after)
  expect([...acknowledged.keys()].filter(sha => !afters.includes(sha))).toEqual([])
  expect(afters.length).toBe(new Set(afters).size)
  for (const [ref, tip] of await refsIn(repository)) expect(recordedHistory(pushes, ref)).toBe(tip)
  for (const [sha, lane] of acknowledged) {
    await gitOk(['--git-dir', repository, 'merge-base', '--is-ancestor', sha, `refs/heads/${lane}`])
  }
}

function isKilled(pid: number): boolean {
  try {
    return process.kill(pid, 'SIGKILL')
  } catch {
    return false
  }
}

/** Pushes one commit after another. A failed push is retried before another commit is created. */
async function push(
  over: AbortSignal,
  address: string,
  cwd: string,
  lane: string,
  acknowledged: Map<string, string>,
): Promise<void> {
  await gitOk(['init', '-q', '-b', lane, cwd])
  let sha = ''
  await repeat(over, async () => {
    if (sha === '' || acknowledged.has(sha)) {
      await gitOk(['commit', '-q', '--allow-empty', '-m', randomBytes(6).toString('hex')], { cwd })
      sha = await gitOk(['rev-parse', 'HEAD'], { cwd })
    }
    if ((await git(['push', '-q', address, lane], { cwd })).code === 0) acknowledged.set(sha, lane)
  })
}

async function repeat(over: AbortSignal, work: () => Promise<void>): Promise<void> {
  while (!over.aborted) {
    await work().catch(() => undefined)
    await delay(20)
  }
}

/**
 * Returns the IDs of the processes, except the server, whose working directory, command line or environment
 * contains a directory.
 */
async function processesOf(directory: string, server = 0): Promise<number[]> {
  const ids = (await readdir('/proc')).map(Number).filter(id => id > 0 && id !== server)
  const touches = async (id: number): Promise<boolean> => {
    const cwd = await readlink(`/proc/${id}/cwd`).catch(() => '')
    const words = await readFile(`/proc/${id}/cmdline`, 'utf8').catch(() => '')
    return [cwd, words, await environmentOf(id)].some(text => text.includes(directory))
  }
  const found = await Promise.all(ids.map(async id => ((await touches(id)) ? [id] : [])))
  return found.flat()
}

/** Returns the environment of a process; empty if the process has ended. */
const environmentOf = (id: number): Promise<string> => readFile(`/proc/${id}/environ`, 'utf8').catch(() => '')

async function launcherOf(server: number): Promise<number> {
  const [launcher] = await childrenOf(server)
  return launcher!
}
