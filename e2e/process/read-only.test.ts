import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { signIn } from '@/testing/browser'
import { git, gitOk } from '@/testing/git'
import { series } from '@/testing/series'
import { addKey, adminHeaders, adminToken, makeRelease } from './api'
import { admin, adminEnvironment, dataDirectory, start } from './guildhall'

const sentence = 'the site is read-only during maintenance'
const banner = 'This site is read-only during maintenance.'

const post = async (url: string, path: string, body: object): Promise<{ id: number }> => {
  const init = { method: 'POST', headers: adminHeaders, body: JSON.stringify(body) }
  const response = await fetch(`${url}/api/v1${path}`, init)
  if (!response.ok) throw new Error(`${path}: ${await response.text()}`)
  return (await response.json()) as { id: number }
}

const open = (url: string, path: string, cookie: string): Promise<Response> =>
  fetch(url + path, { redirect: 'manual', headers: { cookie } })

/** Creates an object of most kinds, and returns the path of each page of the application. */
async function allPages(url: string): Promise<string[]> {
  await post(url, '/orgs', { username: 'acme' })
  await post(url, '/orgs/acme/teams', { name: 'crew', units: ['repo.code'] })
  const hook = { type: 'gitea', config: { url: 'https://ci.example.test/', content_type: 'json' } }
  const hooks: Record<string, number> = {}
  for (const owner of ['/admin', '/user', '/orgs/acme', `/repos/${admin.name}/site`])
    hooks[owner.split('/')[1] ?? ''] = (await post(url, `${owner}/hooks`, hook)).id
  const values: Record<string, string> = {
    ...{ username: admin.name, repo: 'site', org: 'acme', team: 'crew', rest: 'src/branch/main' },
    ...{ tag: 'v1', run: '1', job: '1', artifact: '1' },
  }
  const files = await readdir('app', { recursive: true })
  const pages = files.filter(file => /(^|\/)page\.tsx$/.test(file)).sort()
  return series(
    pages.filter((_, index) => index % 8 === 0),
    pages,
  ).map(file => {
    const template = `/${file.replace(/\([^)]+\)\//g, '').replace(/\/?page\.tsx$/, '')}`
    const [owner = ''] = /admin|user\/|orgs|\[repo\]/.exec(template) ?? []
    const id = hooks[owner === '[repo]' ? 'repos' : owner.replace('/', '')] ?? 1
    return template.replace(/\[(?:\.\.\.)?(\w+)\]/g, (_, name: string) => values[name] ?? String(id))
  })
}

/** Does work for four items at a time. */
async function inTurn<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
  const results: R[] = []
  for (let at = 0; at < items.length; at += 4)
    results.push(...(await Promise.all(items.slice(at, at + 4).map(work))))
  return results
}

it('GUILDHALL_READ_ONLY lets everybody read, rejects changes and pushes with the reason, and keeps the site ready', {
  timeout: 300_000,
  tags: 'series',
}, async () => {
  await using directory = await dataDirectory()
  const environment = { GUILDHALL_DATA_DIR: directory.path, ...adminEnvironment }
  const before = await start(environment)
  await makeRelease(before.url, 'site')
  const token = await adminToken(before.url)
  const { cookie } = await signIn({ url: before.url }, admin)
  const paths = await allPages(before.url)
  const seen = await inTurn(
    paths,
    async (path): Promise<[string, number]> => [path, (await open(before.url, path, cookie)).status],
  )
  await before.end('SIGTERM')

  const guildhall = await start({ ...environment, GUILDHALL_READ_ONLY: 'on' })
  const headers = { authorization: `token ${token}` }
  for (const path of ['/', '/explore', '/-/sign-in', `/${admin.name}/site`, `/${admin.name}/site/releases`]) {
    const page = await fetch(`${guildhall.url}${path}`)
    expect([path, page.status]).toEqual([path, 200])
    expect(await page.text()).toContain(banner)
  }
  const shown = await inTurn(paths, async path => {
    const page = await open(guildhall.url, path, cookie)
    if (page.status === 200) expect(await page.text(), path).toContain(banner)
    return [path, page.status]
  })
  expect(shown).toEqual(seen)
  expect(seen.filter(([, status]) => status === 200).length).toBeGreaterThan(paths.length / 2)
  for (const path of ['/user', '/user/keys', `/repos/${admin.name}/site`])
    expect((await fetch(`${guildhall.url}/api/v1${path}`, { headers })).status).toBe(200)
  const refused = await addKey(guildhall.url, token)
  expect([refused.status, refused.headers.get('retry-after')]).toEqual([503, '60'])
  expect(await refused.json()).toMatchObject({ message: sentence })
  expect((await fetch(`${guildhall.url}/readyz`)).status).toBe(200)

  const clone = join(directory.path, 'clone')
  const address = `${guildhall.url.replace('://', `://${admin.name}:${token}@`)}/${admin.name}/site.git`
  await gitOk(['clone', '-q', address, clone])
  await gitOk(['commit', '-q', '--allow-empty', '-m', 'x'], { cwd: clone })
  const push = await git(['push', 'origin', 'HEAD'], { cwd: clone })
  expect(push.code).not.toBe(0)
  expect(push.stderr).toContain(sentence)
  expect(await guildhall.end('SIGTERM')).toBe(0)
})
