import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { setTimeout as delay } from 'node:timers/promises'
import pg from 'pg'
import { expect, it } from 'vitest'
import { startOwnPostgres } from '@/db/testing/postgres-server'
import { git, gitOk } from '@/testing/git'
import { series } from '@/testing/series'
import { addKey, adminHeaders, adminToken, allTitles, freshKey } from './api'
import { admin, adminEnvironment, type Guildhall, start, temporaryDirectory } from './guildhall'

const postgres = await startOwnPostgres()
const rounds = series(1, 3)

/** Responses received, as text like `key 201`, and the keys and commits that were acknowledged. */
interface Seen {
  answers: Set<string>
  titles: Set<string>
  pushed: Map<string, string>
}

it.skipIf(!postgres)(
  `two processes return 503 while PostgreSQL is down after a crash under load, and lose no acknowledged data (crashes: ${rounds})`,
  { tags: 'series', timeout: 300_000 },
  async () => {
    await using directory = await temporaryDirectory()
    const { url: databaseUrl, crash, startAgain, stop } = postgres!
    const environment = {
      DATABASE_URL: databaseUrl,
      GUILDHALL_DATA_DIR: join(directory.path, 'data'),
      ...adminEnvironment,
    }
    const sites = [await start(environment), await start(environment)] as const
    const token = await adminToken(sites[0].url)
    await makeRepository(sites[0].url)

    const seen: Seen = { answers: new Set(), titles: new Set(), pushed: new Map() }
    const load = new AbortController()
    const lanes = sites.flatMap(({ url }, index) => [
      ...Array.from({ length: 3 }, () => addKeys(url, token, seen, load.signal)),
      look(url, token, seen, load.signal),
      push(url, token, join(directory.path, `lane-${index}`), `lane-${index}`, seen, load.signal),
    ])
    for (let round = 0; round < rounds; round++) {
      const [keys, pushes] = [seen.titles.size + 50, seen.pushed.size + 2]
      await until(() => seen.titles.size >= keys && seen.pushed.size >= pushes)
      await delay(Math.random() * 100)
      await crash()
      for (const { url } of sites) await expectAway(url, token)
      await startAgain()
      for (const { url } of sites) await until(async () => (await fetch(`${url}/readyz`)).ok)
    }
    const last = seen.titles.size + 50
    await until(() => seen.titles.size >= last)
    load.abort()
    await Promise.all(lanes)

    const titles = await allTitles(sites[1].url, token)
    expect([...seen.titles].filter(title => !titles.has(title))).toEqual([])
    expect(await pushedIn(databaseUrl)).toEqual(expect.arrayContaining([...seen.pushed.keys()]))
    for (const [sha, branch] of seen.pushed) {
      await gitOk(['merge-base', '--is-ancestor', sha, branch], { cwd: join(directory.path, branch) })
      const path = `/api/v1/repos/${admin.name}/tools/branches/${branch}`
      expect((await fetch(sites[0].url + path, { headers: adminHeaders })).status).toBe(200)
    }
    expect([...seen.answers].filter(answer => !/ (?:200|201|503)$/.test(answer))).toEqual([])
    for (const site of sites) expect(await endCleanly(site)).toBe(0)
    await stop()
  },
)

async function makeRepository(url: string): Promise<void> {
  const body = JSON.stringify({ name: 'tools' })
  const response = await fetch(`${url}/api/v1/user/repos`, { method: 'POST', headers: adminHeaders, body })
  if (response.status !== 201) throw new Error(await response.text())
}

/**
 * Expects that every endpoint responds with 503 and a time to retry, while the process reports that it is
 * alive.
 */
async function expectAway(url: string, token: string): Promise<void> {
  const headers = { authorization: `token ${token}` }
  const ways: [path: string, headers: Record<string, string>][] = [
    ['/api/v1/user', headers],
    ['/api/v1/users/search', {}],
    ['/api/v1/user', { authorization: adminHeaders.authorization }],
    [`/${admin.name}.keys`, {}],
    [`/${admin.name}/tools.git/info/refs?service=git-upload-pack`, {}],
    [`/${admin.name}/tools.git/info/refs?service=git-receive-pack`, { authorization: `Bearer ${token}` }],
    ['/api/trpc/instance.getStatus', {}],
    ['/api/trpc/sessions.getCurrent', { cookie: `guildhall_session=${'0'.repeat(64)}` }],
    ['/', {}],
    ['/explore', {}],
    [`/${admin.name}/tools`, {}],
    ['/-/sign-in', {}],
  ]
  for (const [path, headers] of ways) {
    const answer = await fetch(url + path, { headers, redirect: 'manual' })
    const text = await answer.text()
    expect([answer.status, answer.headers.get('retry-after')], `${path}: ${text.slice(0, 300)}`).toEqual([
      503,
      '5',
    ])
    if (answer.headers.get('content-type')?.includes('html')) continue
    expect(text, path).toContain('the database cannot be reached right now')
  }
  expect((await fetch(`${url}/readyz`)).status).toBe(503)
  expect((await fetch(`${url}/healthz`)).status).toBe(200)
}

async function addKeys(url: string, token: string, seen: Seen, signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    const body = freshKey()
    const { status } = await addKey(url, token, body)
    seen.answers.add(`key ${status}`)
    if (status === 201) seen.titles.add(body.title)
    else await delay(20)
  }
}

async function look(url: string, token: string, seen: Seen, signal: AbortSignal): Promise<void> {
  const headers = { authorization: `token ${token}` }
  for (
    const paths = ['/explore', '/api/v1/user', `/${admin.name}.keys`, '/api/trpc/instance.getStatus'];
    !signal.aborted;
  ) {
    for (const path of paths) {
      const answer = await fetch(url + path, { headers })
      await answer.text()
      seen.answers.add(`${path} ${answer.status}`)
    }
    await delay(20)
  }
}

// Records only pushes that Git reports as successful, because a failed one may or may not have moved the
// refs.
async function push(
  url: string,
  token: string,
  cwd: string,
  branch: string,
  { pushed }: Seen,
  signal: AbortSignal,
): Promise<void> {
  const address = new URL(`/${admin.name}/tools.git`, url)
  address.username = admin.name
  address.password = token
  await gitOk(['init', '-q', '-b', branch, cwd])
  while (!signal.aborted) {
    await gitOk(['commit', '-q', '--allow-empty', '-m', randomBytes(6).toString('hex')], { cwd })
    const sha = await gitOk(['rev-parse', 'HEAD'], { cwd })
    const { code, stderr } = await git(['push', address.href, branch], { cwd })
    // A push whose response was lost may have moved the refs. It is recorded later, and Git reports the next
    // attempt as up to date.
    if (code === 0 && !stderr.includes('up-to-date')) pushed.set(sha, branch)
    else await delay(50)
  }
}

async function pushedIn(connectionString: string): Promise<string[]> {
  const client = new pg.Client({ connectionString })
  await client.connect()
  const { rows } = await client.query("select data->>'after' as sha from events where kind = 'git.pushed'")
  await client.end()
  return rows.map(row => row.sha)
}

async function endCleanly(site: Guildhall): Promise<number | null> {
  expect((await fetch(`${site.url}/readyz`)).status).toBe(200)
  return await site.end('SIGTERM')
}

async function until(isSo: () => boolean | Promise<boolean>): Promise<void> {
  for (const deadline = Date.now() + 60_000; !(await isSo()); ) {
    if (Date.now() > deadline) throw new Error(`still not so after a minute: ${isSo}`)
    await delay(20)
  }
}
