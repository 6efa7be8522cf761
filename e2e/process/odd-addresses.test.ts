import { once } from 'node:events'
import { request } from 'node:http'
import { text } from 'node:stream/consumers'
import { expect, it } from 'vitest'
import { signIn } from '@/testing/browser'
import { series } from '@/testing/series'
import { adminHeaders } from './api'
import { admin, adminEnvironment, dataDirectory, start } from './guildhall'

const odd = series(
  ['%00', '%25', '%ED%A0%80'],
  ['%00', '%01', 'a%0Ab', '%7F', '%25zz', '%25', '%ED%A0%80', "'", '%E2%80%AE', 'x'.repeat(2500)],
)

const addresses = (word: string): string[] => [
  `/${word}`,
  `/${admin.name}/${word}`,
  `/${word}/branches`,
  `/tools/${word}/branches`,
  `/${admin.name}/tools/${word}`,
  `/${admin.name}/tools/src/branch/${word}`,
  `/${admin.name}?q=${word}&page=${word}&sort=${word}`,
  ...['branches', 'tags', 'activity', 'settings/access'].map(
    tab => `/${admin.name}/tools/${tab}?q=${word}&page=${word}&date=${word}&why=${word}`,
  ),
  `/-/admin/users?q=${word}&page=${word}&role=${word}&state=${word}&sort=${word}`,
  `/-/orgs/${word}/teams?q=${word}&membership=${word}`,
  `/-/new?owner=${word}`,
  `/-/orgs/${word}`,
  `/-/orgs/${word}/people`,
  `/-/orgs/${word}/teams/${word}`,
  `/-/orgs/${word}/settings/blocked`,
  `/-/admin/users/${word}`,
  `/-/admin/users/${word}/keys`,
  `/-/${word}`,
  `/${word}.keys`,
  `/explore?q=${word}&page=${word}&sort=${word}`,
  `/?q=${word}&page=${word}`,
  `/-/sign-in?next=${word}&refused=${word}`,
]

// If a part of a page fails after the response has started, the page contains an error ID by which the log
// can be searched.
const failedPart = /data-dgst="[\da-f]|\bE\{\\?"digest\\?":\\?"[\da-f]/

it('no URL makes a page fail, and URLs with impossible names return 404', {
  tags: 'series',
  timeout: 300_000,
}, async () => {
  await using directory = await dataDirectory()
  const guildhall = await start({ GUILDHALL_DATA_DIR: directory.path, ...adminEnvironment })
  const { url } = guildhall
  const body = JSON.stringify({ name: 'tools', auto_init: true })
  const made = await fetch(`${url}/api/v1/user/repos`, { method: 'POST', headers: adminHeaders, body })
  expect(made.status).toBe(201)
  const { cookie: ofAdmin } = await signIn({ url }, admin)
  for (const cookie of ['', ofAdmin]) {
    for (const path of odd.flatMap(addresses)) {
      const { status, body } = await visit(url, path, cookie)
      expect([200, 307, 308, 400, 404], `${status} ${path.slice(0, 100)}`).toContain(status)
      if (status === 200) expect(body, path.slice(0, 100)).not.toMatch(failedPart)
    }
    for (const path of ['/%00', `/${admin.name}/%01`, '/tools/%00/branches', '/%25zz', '/%7F']) {
      expect(await statusOf(url, path, cookie), path).toBe(404)
    }
  }
  expect(await statusOf(url, '/-/orgs/%00/people', ofAdmin)).toBe(404)
  expect(guildhall.output()).not.toContain('URIError')
  expect(await guildhall.end('SIGTERM')).toBe(0)
})

// `fetch` would encode parts of the path again and follow redirects.
async function visit(url: string, path: string, cookie: string): Promise<{ status: number; body: string }> {
  const sent = request(url, { path, headers: cookie ? { cookie } : {} }).end()
  const [response] = await once(sent, 'response')
  return { status: response.statusCode, body: await text(response) }
}

async function statusOf(url: string, path: string, cookie: string): Promise<number> {
  return (await visit(url, path, cookie)).status
}
