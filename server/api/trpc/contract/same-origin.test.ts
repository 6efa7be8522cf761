import { describe, expect, it } from 'vitest'
import { Browser, signIn } from '@/testing/browser'
import { makePerson } from '@/testing/people'
import { rawHead, sendRaw } from '@/testing/raw'
import { mount, useSite } from '@/testing/site'

const site = useSite()

async function statusFrom(headers: Record<string, string>): Promise<number> {
  const browser = new Browser(site, headers)
  browser.cookie = (await signIn(site, await makePerson(site))).cookie
  return (await browser.mutate('users.updateSettings', { location: 'Paris' })).status
}

describe('a change with a session cookie', () => {
  it('returns 200 from the site’s own pages', async () => {
    expect(await statusFrom({ 'sec-fetch-site': 'same-origin' })).toBe(200)
    expect(await statusFrom({ origin: site.url })).toBe(200)
  })

  it.each([
    ['another site', { 'sec-fetch-site': 'cross-site' }],
    ['another host of the same domain', { 'sec-fetch-site': 'same-site' }],
    ['a request outside of any page', { 'sec-fetch-site': 'none' }],
    ['another site that claims our origin', { 'sec-fetch-site': 'cross-site', origin: 'SITE' }],
    ['another origin, in an old browser', { origin: 'https://evil.example' }],
    ['an opaque origin', { origin: 'null' }],
    ['an invalid origin', { origin: 'nonsense' }],
    ['an unknown origin', {}],
  ])('returns 403 from %s', async (_, headers: Record<string, string>) => {
    const filled = Object.entries(headers).map(([name, value]) => [name, value.replace('SITE', site.url)])
    expect(await statusFrom(Object.fromEntries(filled))).toBe(403)
  })

  it('returns 405 for GET, which other sites can send', async () => {
    const browser = await signIn(site, await makePerson(site))
    expect((await browser.query('users.updateSettings', { location: 'Paris' })).status).toBe(405)
  })
})

it('signing in returns 403 from another site, which must not sign a visitor in to another account', async () => {
  const ada = await makePerson(site)
  const browser = new Browser(site, { 'sec-fetch-site': 'cross-site' })
  const answer = await browser.mutate('sessions.signIn', { login: ada.name, password: ada.password })
  expect([answer.status, answer.headers.getSetCookie()]).toEqual([403, []])
})

describe('a body of 10 MB', () => {
  const size = 10 * 1024 * 1024

  it('returns 413 if its length is announced', async () => {
    const answer = await new Browser(site).mutate('sessions.signIn', {
      login: 'x',
      password: 'x'.repeat(size),
    })
    expect([answer.status, answer.error?.data.kind]).toEqual([413, 'tooLarge'])
  })

  it('returns 413 if it is sent in chunks without a length', async () => {
    let sent = 0
    const body = new ReadableStream({
      pull(controller) {
        if (sent >= size) return controller.close()
        sent += 65_536
        controller.enqueue(new Uint8Array(65_536).fill(0x20))
      },
    })
    const headers = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json' }
    const init = { method: 'POST', headers, body, duplex: 'half' } as RequestInit
    expect((await fetch(`${site.url}/api/trpc/sessions.signIn`, init)).status).toBe(413)
  })
})

describe('a malformed page request', () => {
  it('returns 404 for an unknown procedure', async () => {
    expect((await new Browser(site).query('nothing.here')).status).toBe(404)
    expect((await new Browser(site).query('__proto__')).status).toBe(404)
  })

  it.each(['{', 'null', '[]', '"x"', '\0'])('returns 400 for the body %j', async body => {
    const headers = {
      'sec-fetch-site': 'same-origin',
      'content-type': 'application/json',
      'x-guildhall-viewer': 'nobody',
    }
    const response = await fetch(`${site.url}/api/trpc/sessions.signIn`, { method: 'POST', headers, body })
    expect(response.status).toBe(400)
    expect(await response.text()).not.toMatch(/node_modules|\.ts:/)
  })

  it('returns a client error for an input that is not JSON', async () => {
    const response = await fetch(`${site.url}/api/trpc/keys.listMine?input=%7B`)
    expect(response.status).toBeGreaterThanOrEqual(400)
    expect(response.status).toBeLessThan(500)
  })

  it.skipIf(mount === 'next')('returns 400 for an invalid Host', async () => {
    for (const path of ['/api/trpc/sessions.getCurrent', '/healthz', '/x.keys']) {
      expect((await sendRaw(site, rawHead('GET', path, { Host: 'a b' }))).status).toBe(400)
    }
  })
})

it('page responses can be cached only privately and forbid content type sniffing', async () => {
  const { headers } = await new Browser(site).query('sessions.getCurrent')
  expect(headers.get('cache-control')).toBe('max-age=0, private, must-revalidate, no-transform')
  expect(headers.get('x-content-type-options')).toBe('nosniff')
  expect(headers.get('content-type')).toMatch(/^application\/json/)
})
