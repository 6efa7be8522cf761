import { randomBytes } from 'node:crypto'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import { expect, it } from 'vitest'
import { gitOk, processesOn } from '@/testing/git'
import { series } from '@/testing/series'
import { adminHeaders } from './api'
import { admin, adminEnvironment, dataDirectory, start, withDatabase } from './guildhall'
import { recordedHistory, recordedPushes, refsIn, repositoryIn, settlePushes } from './pushes'

const rounds = series(1, 20)
// The last client sends files that do not fit into memory limits of bodies.
const sizes = [100, 10_000, 2_000_000]

it(`no commit of a file that was acknowledged is lost when the process is killed meanwhile (kills: ${rounds})`, {
  tags: 'series',
  timeout: 360_000,
}, async () => {
  await using holder = await dataDirectory()
  const data = holder.path
  const environment = { GUILDHALL_DATA_DIR: data, ...adminEnvironment }
  /** The ID of the blob at each path that was acknowledged. */
  const acknowledged = new Map<string, string>()
  for (let round = 0; round < rounds; round++) {
    const guildhall = await start(environment)
    if (round === 0) await post(guildhall.url, 'user/repos', { name: 'tools', auto_init: true })
    const writing = sizes.map(size => writeUntilDead(guildhall.url, size, acknowledged))
    const soon = acknowledged.size + sizes.length
    while (acknowledged.size < soon) await delay(10)
    await delay(Math.random() * 100)
    await guildhall.end('SIGKILL')
    await Promise.all(writing)
  }

  const repository = await repositoryIn(data)
  await expect.poll(() => processesOn(repository), { timeout: 5_000 }).toEqual([])
  await settlePushes(environment)

  const inside = ['--git-dir', repository]
  await gitOk([...inside, 'fsck', '--strict', '--no-dangling'])
  const pushes = await withDatabase({ dataDir: data }, ({ db }) => recordedPushes(db))
  const [[ref, tip] = ['', '']] = await refsIn(repository)
  // The repository was created with its first commit, which nobody pushed.
  const first = (await gitOk([...inside, 'rev-list', '--max-parents=0', ref])).trim()
  expect(recordedHistory([{ ref, before: '0'.repeat(40), after: first }, ...pushes], ref)).toBe(tip)
  expect(acknowledged.size).toBeGreaterThanOrEqual(rounds * sizes.length)
  const listed = (await gitOk([...inside, 'ls-tree', '-r', tip])).split('\n')
  const present = new Map(listed.map(line => line.split(/[ \t]/).slice(2).reverse() as [string, string]))
  for (const [path, id] of acknowledged) expect(present.get(path)).toBe(id)
  expect((await readdir(join(data, 'repositories'))).filter(name => name.startsWith('.body'))).toEqual([])
})

function post(url: string, path: string, body: object): Promise<Response> {
  return fetch(`${url}/api/v1/${path}`, {
    method: 'POST',
    headers: adminHeaders,
    body: JSON.stringify(body),
  })
}

async function writeUntilDead(url: string, size: number, acknowledged: Map<string, string>): Promise<void> {
  for (;;) {
    const path = `files/${randomBytes(6).toString('hex')}`
    const body = { content: randomBytes(size).toString('base64') }
    const response = await post(url, `repos/${admin.name}/tools/contents/${path}`, body).catch(
      () => undefined,
    )
    const answer = await response?.json().catch(() => undefined)
    if (response?.status === 201 && answer) acknowledged.set(path, answer.content.sha)
    else if (!(await fetch(`${url}/healthz`).catch(() => undefined))) return
  }
}
