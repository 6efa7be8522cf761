import { once } from 'node:events'
import type { IncomingHttpHeaders, ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { describe, expect, it, vi } from 'vitest'
import { openPageProcedures, type PageProcedures, procedureAt } from '@/server/api/trpc/page-procedures'
import { type PageExchange, pageExchanges } from '@/server/kernel/page-exchange'
import { signIn } from '@/testing/browser'
import { countQueries } from '@/testing/count-queries'
import { newKey } from '@/testing/keys'
import { makePerson, type Person } from '@/testing/people'
import { useSite } from '@/testing/site'
import { createHttpServer } from '../server'
import { createUnchangedPages } from './unchanged-pages'

const site = useSite()

type Render = (
  procedures: PageProcedures,
  exchange: PageExchange,
  response: ServerResponse,
) => Promise<unknown>

const titles: Render = async ({ keys }) => (await keys.browse({})).items.map(({ title }) => title)

/** A server whose pages show the titles of a person's keys, or what `render` returns, and the number of renders. */
async function openPages(render = titles) {
  let renders = 0
  const unchanged = createUnchangedPages(openPageProcedures)
  const seen: IncomingHttpHeaders[] = []
  const server = createHttpServer(
    site.services,
    async (request, response) => {
      const exchange = pageExchanges.getStore() as PageExchange
      const reader = { get: (name: string) => request.headers[name]?.toString() ?? null }
      const procedures = await openPageProcedures(reader, exchange, () => undefined)
      // As all pages do.
      await procedures.sessions.getCurrent()
      await procedures.live.getCursor()
      response.setHeader('Content-Type', 'text/html; charset=utf-8')
      const shown = await render(procedures, exchange, response)
      renders += 1
      seen.push(request.headers)
      response.end(`${JSON.stringify(shown)} ${'-'.repeat(2000)}`)
    },
    { unchanged },
  ).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    renders: () => renders,
    clear: unchanged.clear,
    seen,
    async open(cookie: string, headers: Record<string, string> = {}, method = 'GET') {
      const response = await fetch(`http://127.0.0.1:${port}/-/page`, {
        method,
        headers: { cookie, ...headers },
      })
      return { headers: response.headers, text: (await response.text()).split(' ')[0] }
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function makeViewer(): Promise<
  Person & { cookie: string; browser: Awaited<ReturnType<typeof signIn>> }
> {
  const person = await makePerson(site)
  const browser = await signIn(site, person)
  return { ...person, browser, cookie: browser.cookie }
}

describe('a page of somebody who is signed in', () => {
  it('is sent again without being rendered, with its own request ID', async () => {
    await using pages = await openPages()
    const { cookie } = await makeViewer()
    const first = await pages.open(cookie)
    const again = await pages.open(cookie, { 'cache-control': 'no-cache', referer: 'http://127.0.0.1/other' })
    expect([first.text, again.text, pages.renders()]).toEqual(['[]', '[]', 1])
    const lasting = ({ headers }: typeof first) =>
      [...headers].filter(([name]) => !['x-request-id', 'date'].includes(name))
    expect(lasting(again)).toEqual(lasting(first))
    expect(again.headers.get('content-encoding')).toBe('gzip')
    expect(again.headers.get('content-security-policy')).toContain("'nonce-")
    expect(again.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'))
  })

  it('is rendered again after the pages were cleared', async () => {
    await using pages = await openPages()
    const { cookie } = await makeViewer()
    await pages.open(cookie)
    pages.clear()
    await pages.open(cookie)
    expect(pages.renders()).toBe(2)
  })

  it('is rendered again if something that it shows has changed, and kept as it is then', async () => {
    await using pages = await openPages()
    const { cookie, browser } = await makeViewer()
    await pages.open(cookie)
    await browser.mutate('keys.add', { title: 'laptop', key: newKey().text })
    expect((await pages.open(cookie)).text).toBe('["laptop"]')
    expect((await pages.open(cookie)).text).toBe('["laptop"]')
    expect(pages.renders()).toBe(2)
  })

  it('is rendered for another person, session, preference, or browser, and from no other header', async () => {
    await using pages = await openPages()
    const { cookie, ...person } = await makeViewer()
    const other = await makeViewer()
    const cookies = [
      cookie,
      other.cookie,
      (await signIn(site, person)).cookie,
      `${cookie}; guildhall_theme=dark`,
    ]
    for (const one of cookies) await pages.open(one)
    await pages.open(cookie, { 'accept-encoding': 'br' })
    await pages.open(cookie, { 'user-agent': 'another' })
    expect(pages.renders()).toBe(6)
    await pages.open(cookie, { 'accept-language': 'de', 'x-request-id': 'a proxy adds it' })
    expect(pages.renders()).toBe(6)
    const known = ['content-security-policy', 'cookie', 'host', 'user-agent', 'x-guildhall-path', 'x-nonce']
    for (const headers of pages.seen) expect(Object.keys(headers).sort()).toEqual(known)
  })

  it('is rendered again after the session has ended', async () => {
    await using pages = await openPages(
      async ({ sessions }) => (await sessions.getCurrent())?.user.login ?? null,
    )
    const { name, cookie, browser } = await makeViewer()
    expect((await pages.open(cookie)).text).toBe(`"${name}"`)
    await browser.mutate('sessions.signOut')
    expect((await pages.open(cookie)).text).toBe('null')
  })

  it('is rendered for each request of a visitor, for data or headers alone, and without compression', async () => {
    await using pages = await openPages(async () => 'text')
    const { cookie } = await makeViewer()
    for (const _ of [1, 2]) {
      await pages.open('')
      await pages.open(cookie, { rsc: '1' })
      await pages.open(cookie, {}, 'HEAD')
      await pages.open(cookie, { 'accept-encoding': 'identity' })
    }
    expect(pages.renders()).toBe(8)
  })

  it('is kept if it shows that something is absent, but not if what it shows may be different soon', async () => {
    const { name, cookie } = await makeViewer()
    const username = `${name}-nobody`
    const without = (call: Promise<unknown>): Promise<string> =>
      call.then(
        () => 'there',
        () => 'away',
      )
    const renders: Record<string, [Render, rendered: number]> = {
      absent: [({ users }) => without(users.get({ username })), 1],
      forbidden: [({ users }) => without(users.browse({})), 1],
      'a failure': [({ users }) => without(users.get({ username: 7 as unknown as string })), 2],
      incomplete: [async (_, exchange) => Object.assign(exchange, { isIncomplete: true }), 2],
      missing: [async (_, exchange) => Object.assign(exchange, { isAbsent: true }), 2],
      'another type': [async (_, __, response) => response.setHeader('Content-Type', 'text/plain') && 1, 2],
      'another status': [async (_, __, response) => Object.assign(response, { statusCode: 203 }) && 1, 2],
      'a cookie': [async (_, __, response) => response.setHeader('Set-Cookie', 'a=b') && 1, 2],
    }
    for (const [what, [render, rendered]] of Object.entries(renders)) {
      await using pages = await openPages(async (...args) => void (await render(...args)))
      for (const _ of [1, 2]) await pages.open(cookie)
      expect(pages.renders(), what).toBe(rendered)
    }
  })

  it('is rendered again in the next minute, and once a time that it shows has passed', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    vi.setSystemTime('2031-01-01T00:00:10Z')
    try {
      const { name, cookie, browser } = await makeViewer()
      await using pages = await openPages(({ tokens }) => tokens.browse({ username: name }))
      const at = async (time: string): Promise<number> => {
        vi.setSystemTime(time)
        await pages.open(cookie)
        return pages.renders()
      }
      expect([await at('2031-01-01T00:00:10Z'), await at('2031-01-01T00:00:50Z')]).toEqual([1, 1])
      expect([await at('2031-01-01T00:01:10Z'), await at('2031-01-01T00:01:11Z')]).toEqual([2, 2])
      const expires_at = '2031-01-01T00:01:30Z'
      const { error } = await browser.mutate('tokens.createExpiring', {
        username: name,
        name: 'short',
        scopes: ['read:user'],
        expires_at,
      })
      expect(error).toBeUndefined()
      expect([await at('2031-01-01T00:01:12Z'), await at('2031-01-01T00:01:29Z')]).toEqual([3, 3])
      expect([await at('2031-01-01T00:01:31Z'), await at('2031-01-01T00:01:32Z')]).toEqual([4, 4])
    } finally {
      vi.useRealTimers()
    }
  })

  it('is rendered again if a time that it shows passed while it was rendered', async () => {
    vi.useFakeTimers({ toFake: ['Date'] })
    vi.setSystemTime('2031-01-01T00:00:10Z')
    try {
      const { name, cookie, browser } = await makeViewer()
      const token = { username: name, name: 'short', scopes: ['read:user'] }
      await browser.mutate('tokens.createExpiring', { ...token, expires_at: '2031-01-01T00:00:30Z' })
      vi.setSystemTime('2031-01-01T00:00:29Z')
      await using pages = await openPages(async ({ tokens }) => {
        const shown = await tokens.browse({ username: name })
        vi.setSystemTime('2031-01-01T00:00:31Z')
        return shown
      })
      for (let time = 0; time < 2; time++) await pages.open(cookie)
      expect(pages.renders()).toBe(2)
    } finally {
      vi.useRealTimers()
    }
  })

  it('gets what was read to compare it, and reads nothing twice', async () => {
    await using pages = await openPages(async ({ keys, sessions }) => [
      (await keys.browse({})).items.length,
      (await sessions.getCurrent())?.user.full_name,
      (await keys.browse({})).items.length,
    ])
    const { cookie, browser } = await makeViewer()
    await pages.open(cookie)
    const queries = countQueries(site)
    await pages.open(cookie)
    const same = queries.all
    await browser.mutate('keys.add', { title: 'desktop', key: newKey().text })
    queries.all = 0
    await pages.open(cookie)
    // The page looks up its session for itself.
    expect(queries.all).toBe(same + 1)
  })

  it('cannot call a procedure that changes something', async () => {
    const { cookie } = await makeViewer()
    const open = { requestId: 'r', remoteAddress: '' }
    const procedures = await openPageProcedures({ get: () => cookie }, open, () => undefined)
    expect(() => procedureAt(procedures, 'keys.add')).toThrow('cannot call keys.add')
  })
})
