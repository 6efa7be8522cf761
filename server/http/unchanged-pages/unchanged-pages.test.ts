import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { describe, expect, it } from 'vitest'
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

type Render = (procedures: PageProcedures, exchange: PageExchange) => Promise<unknown>

/** A server whose pages show the titles of a person's keys, or what `render` returns, and the number of renders. */
async function openPages(
  render: Render = async ({ keys }) => (await keys.browse({})).items.map(({ title }) => title),
) {
  let renders = 0
  const server = createHttpServer(
    site.services,
    async (request, response) => {
      const exchange = pageExchanges.getStore() as PageExchange
      const reader = { get: (name: string) => request.headers[name]?.toString() ?? null }
      const shown = await render(await openPageProcedures(reader, exchange, () => undefined), exchange)
      renders += 1
      response.setHeader('Content-Type', 'text/html; charset=utf-8')
      response.end(`${JSON.stringify(shown)} ${'-'.repeat(2000)}`)
    },
    { unchanged: createUnchangedPages(openPageProcedures) },
  ).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    renders: () => renders,
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

  it('is rendered again if something that it shows has changed, and kept as it is then', async () => {
    await using pages = await openPages()
    const { cookie, browser } = await makeViewer()
    await pages.open(cookie)
    await browser.mutate('keys.add', { title: 'laptop', key: newKey().text })
    expect((await pages.open(cookie)).text).toBe('["laptop"]')
    expect((await pages.open(cookie)).text).toBe('["laptop"]')
    expect(pages.renders()).toBe(2)
  })

  it('is rendered for another person, session, preference, or unknown header', async () => {
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
    await pages.open(cookie, { 'accept-language': 'de' })
    await pages.open(cookie, { 'accept-encoding': 'br' })
    expect(pages.renders()).toBe(6)
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

  it('is kept if it shows that something is absent, but not if it shows a failure or less than later', async () => {
    const { name, cookie } = await makeViewer()
    const without = async (call: Promise<unknown>): Promise<string> =>
      await call.then(
        () => 'there',
        () => 'away',
      )
    await using absent = await openPages(({ users }) => without(users.get({ username: `${name}-nobody` })))
    await using failed = await openPages(({ users }) => without(users.browse({})))
    await using incomplete = await openPages(async (_, exchange) => {
      exchange.isIncomplete = true
    })
    for (const pages of [absent, failed, incomplete]) for (const _ of [1, 2]) await pages.open(cookie)
    expect([absent, failed, incomplete].map(({ renders }) => renders())).toEqual([1, 2, 2])
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
