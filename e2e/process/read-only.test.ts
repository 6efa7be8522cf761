import { join } from 'node:path'
import { expect, it } from 'vitest'
import { git, gitOk } from '@/testing/git'
import { addKey, adminToken, makeRelease } from './api'
import { admin, adminEnvironment, dataDirectory, start } from './guildhall'

const sentence = 'the site is read-only during maintenance'

it('GUILDHALL_READ_ONLY lets everybody read, rejects changes and pushes with the reason, and keeps the site ready', {
  timeout: 120_000,
}, async () => {
  await using directory = await dataDirectory()
  const environment = { GUILDHALL_DATA_DIR: directory.path, ...adminEnvironment }
  const before = await start(environment)
  await makeRelease(before.url, 'site')
  const token = await adminToken(before.url)
  await before.end('SIGTERM')

  const guildhall = await start({ ...environment, GUILDHALL_READ_ONLY: 'on' })
  const headers = { authorization: `token ${token}` }
  for (const path of ['/', '/explore', '/-/sign-in', `/${admin.name}/site`, `/${admin.name}/site/releases`]) {
    const page = await fetch(`${guildhall.url}${path}`)
    expect([path, page.status]).toEqual([path, 200])
    expect(await page.text()).toContain('This site is read-only during maintenance.')
  }
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
