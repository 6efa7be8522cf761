// @module-tag current-node
import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { git, gitOk, processesOn } from '@/testing/git'
import { freePort } from '@/testing/ports'
import { series } from '@/testing/series'
import { generateKey, hasSsh, sshOptions } from '@/testing/ssh'
import { addKey, adminHeaders, adminToken } from './api'
import { admin, adminEnvironment, dataDirectory, start, temporaryDirectory, withDatabase } from './guildhall'
import { recordedHistory, recordedPushes, refsIn, repositoryIn, settlePushes } from './pushes'

const rounds = series(1, 4)
const lanes = 4

interface Lane {
  branch: string
  directory: string
  /** Whether this client pushes over SSH, as half of them do if SSH is installed; otherwise over HTTP. */
  isSsh: boolean
}

/** Credentials for pushes over HTTP and SSH. */
interface Access {
  token: string
  sshPort: number
  sshKey: string
}

it(`no push that Git reported as successful is lost when the process is killed during pushes (kills: ${rounds})`, {
  tags: 'series',
  timeout: 360_000,
}, async () => {
  await using directory = await temporaryDirectory()
  await using holder = await dataDirectory()
  const data = holder.path
  const sshPort = await freePort()
  const environment = {
    GUILDHALL_DATA_DIR: data,
    GUILDHALL_SSH_PORT: String(sshPort),
    ...adminEnvironment,
  }
  const acknowledged = new Map<string, string>()
  const all = Array.from({ length: lanes }, (_, index): Lane => {
    const branch = `lane-${index}`
    return { branch, directory: join(directory.path, branch), isSsh: hasSsh && index % 2 === 1 }
  })
  for (const lane of all) await gitOk(['init', '-q', '-b', lane.branch, lane.directory])

  let access: Access | undefined
  for (let round = 0; round < rounds; round++) {
    const guildhall = await start(environment)
    access ??= { sshPort, ...(await prepare(guildhall.url, directory.path)) }
    const { url } = guildhall
    const pushing = all.map(lane => pushUntilDead(url, access as Access, lane, acknowledged))
    // Waits until some pushes have completed, then kills the process at a random point of others.
    const soon = acknowledged.size + lanes
    while (acknowledged.size < soon) await delay(10)
    await delay(Math.random() * 150)
    await guildhall.end('SIGKILL')
    await Promise.all(pushing)
  }

  const repository = await repositoryIn(data)
  await expect.poll(() => processesOn(repository), { timeout: 5_000 }).toEqual([])
  await settlePushes(environment)

  await gitOk(['--git-dir', repository, 'fsck', '--strict', '--no-dangling'])
  const refs = await refsIn(repository)
  const pushes = await withDatabase({ dataDir: data }, ({ db }) => recordedPushes(db))
  const afters = pushes.map(push => push.after)
  expect(acknowledged.size).toBeGreaterThanOrEqual(rounds * lanes)
  expect([...acknowledged.keys()].filter(sha => !afters.includes(sha))).toEqual([])
  expect(afters.length).toBe(new Set(afters).size)
  for (const [ref, tip] of refs) expect(recordedHistory(pushes, ref)).toBe(tip)
  for (const [sha, branch] of acknowledged) {
    await gitOk(['--git-dir', repository, 'merge-base', '--is-ancestor', sha, `refs/heads/${branch}`])
  }
})

async function prepare(url: string, directory: string): Promise<{ token: string; sshKey: string }> {
  await makeRepository(url)
  const token = await adminToken(url)
  if (!hasSsh) return { token, sshKey: '' }
  const { file, publicKey } = await generateKey(directory)
  const added = await addKey(url, token, { title: 'pushes', key: publicKey })
  if (added.status !== 201) throw new Error(await added.text())
  return { token, sshKey: file }
}

async function makeRepository(url: string): Promise<void> {
  const response = await fetch(`${url}/api/v1/user/repos`, {
    method: 'POST',
    headers: adminHeaders,
    body: JSON.stringify({ name: 'tools' }),
  })
  if (response.status !== 201) throw new Error(await response.text())
}

// A failed push is retried before another commit is created, because it may have succeeded.
async function pushUntilDead(
  url: string,
  { token, sshPort, sshKey }: Access,
  lane: Lane,
  acknowledged: Map<string, string>,
): Promise<void> {
  const address = new URL(`/${admin.name}/tools.git`, lane.isSsh ? `ssh://git@127.0.0.1:${sshPort}` : url)
  if (!lane.isSsh) {
    address.username = admin.name
    address.password = token
  }
  const settings = { 'core.sshCommand': ['ssh', ...sshOptions(sshKey, sshPort)].join(' ') }
  const cwd = lane.directory
  for (;;) {
    const tip = await git(['rev-parse', '--verify', '-q', 'HEAD'], { cwd })
    const isDone = tip.code !== 0 || acknowledged.has(tip.stdout.trim())
    if (isDone) {
      await gitOk(['commit', '-q', '--allow-empty', '-m', randomBytes(6).toString('hex')], { cwd })
    }
    const sha = await gitOk(['rev-parse', 'HEAD'], { cwd })
    const { code } = await git(['push', '-q', address.href, lane.branch], { cwd, settings })
    if (code === 0) acknowledged.set(sha, lane.branch)
    else if (!(await fetch(`${url}/healthz`).catch(() => undefined))) return
  }
}
