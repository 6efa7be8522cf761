import { afterAll, beforeAll, expect, it } from 'vitest'
import { call } from '@/testing/call'
import { keptLog } from '@/testing/kept-log'
import { makePerson, type Person, withPassword } from '@/testing/people'
import { mount, openSite, type Site } from '@/testing/site'

const kept = keptLog()
let site: Site
let ada: Person

beforeAll(async () => {
  site = await openSite({}, kept.log)
  ada = await makePerson(site)
  await site.services.database.close()
})
afterAll(() => site.close())

const message = 'the database cannot be reached right now; try again in a moment'

it('without a database, the JSON API returns 503, the reason, and Retry-After', async () => {
  for (const answer of [
    await call(site, 'GET', '/user', { as: ada }),
    await call(site, 'GET', '/user', { as: withPassword(ada) }),
    await call(site, 'GET', `/users/${ada.name}`),
    await call(site, 'POST', '/user/keys', { as: ada, body: { title: 'x', key: 'x' } }),
    await call(site, 'DELETE', '/user/keys/1', { as: ada }),
  ]) {
    expect(answer.body).toEqual({ message, url: `${site.url}/api/docs` })
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5'])
  }
})

it('without a database, key lists and page procedures return 503, signed in or not', async () => {
  const cookie = `guildhall_session=${'a'.repeat(43)}`
  for (const [path, headers] of [
    [`/${ada.name}.keys`, {}],
    ['/api/trpc/instance.getStatus', {}],
    ['/api/trpc/sessions.getCurrent', { cookie }],
  ] as const) {
    const answer = await fetch(site.url + path, { headers })
    expect(await answer.text(), path).toContain(message)
    expect([answer.status, answer.headers.get('retry-after')], path).toEqual([503, '5'])
  }
})

it('without a database, forms without scripts return 503 and a readable text', async () => {
  const answer = await fetch(`${site.url}/-/forms/sign-in`, {
    method: 'POST',
    headers: { 'sec-fetch-site': 'same-origin' },
    body: new URLSearchParams({ login: ada.name, password: ada.password }),
  })
  expect(answer.headers.get('content-type')).toBe('text/plain; charset=utf-8')
  expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5'])
  expect(await answer.text()).toContain(`${message}\n`)
})

it.skipIf(mount === 'next')(
  'without a database, Git endpoints return 503 and a message that Git shows',
  async () => {
    const answer = await fetch(`${site.url}/ada/site.git/info/refs?service=git-upload-pack`)
    expect([answer.status, await answer.text()]).toEqual([503, `${message}\n`])
    expect(answer.headers.get('retry-after')).toBe('5')
  },
)

it('without a database, /healthz returns 200 and /readyz returns 503', async () => {
  expect((await fetch(`${site.url}/healthz`)).status).toBe(200)
  expect((await fetch(`${site.url}/readyz`)).status).toBe(503)
})

it('without a database, the log contains the reason and no unexpected failures', () => {
  expect(kept.text()).toContain('the database cannot be reached')
  expect(kept.text()).not.toContain('unexpected failure')
})
