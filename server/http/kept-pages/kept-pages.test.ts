import { once } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import zlib from 'node:zlib'
import { describe, expect, it, type MockInstance, vi } from 'vitest'
import type { Db } from '@/db/client'
import { type EventHub, hubOf, type Signal } from '@/server/events'
import type { Connection } from '@/server/kernel/http/call'
import { pageExchanges } from '@/server/kernel/page-exchange'
import type { Services } from '@/server/services'
import type { PageHandler } from '../page-handler'
import { createKeptPages } from './kept-pages'
import { sendShared } from './page'
import { preferenceCookies } from './visit'

interface Rendered {
  url: string
  headers: IncomingHttpHeaders
}

/** A server whose pages show the repository with the ID 7, and how many pages were rendered before. */
async function openPages(answer?: PageHandler) {
  const db = { getExecutor: () => ({ adapter }) } as unknown as Db
  const adapter = {}
  const hub: EventHub = hubOf(db)
  const rendered: Rendered[] = []
  const pages: PageHandler = async (request, response) => {
    rendered.push({ url: request.url ?? '', headers: request.headers })
    pageExchanges.getStore()?.pageReads?.set('repository', Promise.resolve({ repository: { id: 7 } }))
    if (answer) return await answer(request, response)
    response.setHeader('Content-Type', 'text/html; charset=utf-8')
    response.end(`page ${rendered.length} ${'-'.repeat(2000)}`)
  }
  const config = { baseUrl: 'https://code.example.test' } as Services['config']
  const kept = createKeptPages({ db, config }, pages)
  const connection: Connection = { requestId: 'r', remoteAddress: '192.0.2.1' } as Connection
  const server = createServer(async (request, response) => {
    const page = await kept.find(request, connection)
    if (page) await sendShared(page, request, response).catch(() => response.writeHead(500).end())
    else response.writeHead(299).end('alone')
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    hub,
    rendered,
    ask: async (path: string, headers: Record<string, string> = {}, method = 'GET') => {
      const response = await fetch(`http://127.0.0.1:${port}${path}`, { method, headers, redirect: 'manual' })
      const text = await response.text()
      return { status: response.status, headers: response.headers, text, page: Number(text.split(' ')[1]) }
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

const about = (kind: string, ids: { ownerId?: number; repositoryId?: number } = {}): Signal =>
  ({ id: 1, kind, ownerId: null, repositoryId: null, ...ids }) as Signal

describe('kept pages', () => {
  it('are rendered once, with a tag that responds with 304, in each coding', async () => {
    await using site = await openPages()
    const first = await site.ask('/ada/engine')
    const again = await site.ask('/ada/engine', { 'accept-encoding': 'gzip' })
    expect([first.page, again.page, site.rendered.length]).toEqual([1, 1, 1])
    expect([again.headers.get('content-encoding'), again.headers.get('vary')]).toEqual([
      'gzip',
      'Accept-Encoding',
    ])
    const tag = first.headers.get('etag') ?? ''
    expect(tag).toMatch(/^W\/"[\w-]{27}"$/)
    const known = await site.ask('/ada/engine', { 'if-none-match': `"x", ${tag}` })
    expect([known.status, known.text, known.headers.get('etag')]).toEqual([304, '', tag])
    const head = await site.ask('/ada/engine', {}, 'HEAD')
    expect([head.status, head.text, site.rendered.length]).toEqual([200, '', 1])
    // The nonce in the page is that of its policy.
    const policy = site.rendered[0]?.headers['content-security-policy']
    expect([first, again, head].map(({ headers }) => headers.get('content-security-policy'))).toEqual(
      Array(3).fill(policy),
    )
  })

  it('are compressed again if that has failed', async () => {
    await using site = await openPages()
    const fail = vi.spyOn(zlib, 'gzip') as unknown as MockInstance<
      (body: Buffer, done: (error: Error) => void) => void
    >
    fail.mockImplementationOnce((_body, done) => done(new Error('no memory')))
    const ask = () => site.ask('/ada/engine', { 'accept-encoding': 'gzip' })
    expect((await ask()).status).toBe(500)
    expect((await ask()).page).toBe(1)
  })

  it('are rendered from the path, the query and the preferences, and nothing else of a request', async () => {
    await using site = await openPages()
    const cookie = 'other=1; guildhall_theme=dark; guildhall_contrast=a"b; guildhall_clone=ssh'
    await site.ask('/explore?q=x', {
      cookie,
      'accept-language': 'de',
      'x-forwarded-for': '198.51.100.1',
      referer: 'x',
    })
    expect(Object.keys(site.rendered[0]?.headers ?? {}).sort()).toEqual([
      'content-security-policy',
      'cookie',
      'host',
      'x-guildhall-path',
      'x-nonce',
    ])
    expect(site.rendered[0]).toMatchObject({
      url: '/explore?q=x',
      headers: { cookie: 'guildhall_theme=dark; guildhall_clone=ssh', host: 'code.example.test' },
    })
    const pages = [
      await site.ask('/explore?q=x', { cookie: 'guildhall_clone=ssh; guildhall_theme=dark' }),
      await site.ask('/explore?q=x', { cookie: 'guildhall_theme=light' }),
      await site.ask('/explore?q=x'),
      await site.ask('/explore'),
    ]
    expect(pages.map(({ page }) => page)).toEqual([1, 2, 3, 4])
  })

  it('are rendered with all cookies that pages read', async () => {
    const files = (await readdir('app', { recursive: true })).filter(name => /\.tsx?$/.test(name))
    const texts = await Promise.all(files.map(name => readFile(join('app', name), 'utf8')))
    const cookies = new Set(texts.flatMap(text => text.match(/(?<=')guildhall_\w+(?=')/g) ?? []))
    // Only read for people who are signed in.
    cookies.delete('guildhall_steps')
    expect([...cookies].sort()).toEqual([...preferenceCookies].sort())
  })

  it.each([
    ['a session', '/ada', { cookie: 'a=b; guildhall_session=x' }],
    ['a session over HTTPS', '/ada', { cookie: '__Host-guildhall_session=' }],
    ['credentials', '/ada', { authorization: 'Bearer x' }],
    ['a request for data of a page', '/ada', { rsc: '1' }],
    ['another page', '/ada/engine/settings', {}],
    ['a page with runs', '/ada/engine/actions', {}],
    ['a page below /-/', '/-/sign-in', {}],
    ['data of a page without its header', '/ada?_rsc=1', {}],
    ['a long query', `/explore?q=${'x'.repeat(300)}`, {}],
  ])('are not used for %s', async (_, path, headers) => {
    await using site = await openPages()
    expect((await site.ask(path, headers)).status).toBe(299)
    expect((await site.ask('/ada', {}, 'POST')).status).toBe(299)
    expect(site.rendered).toEqual([])
  })

  it('are not used while signals of other processes are missed', async () => {
    await using site = await openPages()
    await site.ask('/explore')
    site.hub.linked = false
    expect((await site.ask('/explore')).status).toBe(299)
    site.hub.linked = true
    site.hub.publish([{ kind: 'missed' }])
    expect((await site.ask('/explore')).page).toBe(2)
  })

  const paths = ['/explore', '/ada', '/ada/engine', '/ada/engine/releases', '/ada/engine/releases/tag/v1/2']
  it.each([
    [about('user.edited'), 5],
    [about('user.blocked'), 5],
    [about('org.renamed'), 5],
    [about('org.member_concealed'), 5],
    [about('repository.created', { repositoryId: 8 }), 2],
    [about('repository.edited', { repositoryId: 7 }), 5],
    [about('repository.transferred', { repositoryId: 7 }), 5],
    [about('repository.deleted', { repositoryId: 7 }), 5],
    [about('git.pushed', { repositoryId: 7 }), 5],
    [about('git.pushed', { repositoryId: 8 }), 2],
    [about('refs.changed', { repositoryId: 7 }), 5],
    [about('release.published', { repositoryId: 7 }), 5],
    [{ kind: 'release.changed', isDraft: false, ownerId: 1, repositoryId: 7 } as const, 5],
    [{ kind: 'run.changed', runId: 1, repositoryId: 7 } as const, 3],
    [{ kind: 'run.changed', runId: 1, repositoryId: 8 } as const, 0],
    [about('key.added'), 0],
    [about('session.opened'), 0],
    [{ kind: 'hook.delivery_changed', hookId: 1 } as const, 0],
  ])('that %o made outdated are rendered again', async (signal, count) => {
    await using site = await openPages()
    for (const path of paths) await site.ask(path)
    site.hub.publish([signal])
    for (const path of paths) await site.ask(path)
    expect(site.rendered.length - paths.length).toBe(count)
  })

  it('are not kept if something changed while they were rendered, and not given to those who came after', async () => {
    let finish = () => {}
    await using site = await openPages(async (_, response) => {
      const number = site.rendered.length
      if (number === 1) await new Promise<void>(resolve => (finish = resolve))
      response.setHeader('Content-Type', 'text/html')
      response.end(`page ${number}`)
    })
    const before = [site.ask('/ada/engine'), site.ask('/ada/engine')]
    await vi.waitFor(() => expect(site.rendered.length).toBe(1))
    // The first of them is about another page.
    for (const repositoryId of [8, 7]) site.hub.publish([about('git.pushed', { repositoryId })])
    const after = await site.ask('/ada/engine')
    finish()
    expect([...(await Promise.all(before)), after].map(({ page }) => page)).toEqual([1, 1, 2])
    expect((await site.ask('/ada/engine')).page).toBe(2)
  })

  it('are only those that show everything already', async () => {
    await using site = await openPages((_, response) => {
      Object.assign(pageExchanges.getStore() ?? {}, { isIncomplete: site.rendered.length === 1 })
      response.setHeader('Content-Type', 'text/html')
      response.end(`page ${site.rendered.length}`)
    })
    const asked = []
    for (let count = 0; count < 3; count++) asked.push((await site.ask('/ada/engine')).page)
    expect(asked).toEqual([1, 2, 2])
  })

  it('are only those that were found', async () => {
    await using site = await openPages((request, response) => {
      const status = Number(/\d+/.exec(request.url ?? '')?.[0] ?? 404)
      response.setHeader('Content-Type', status === 201 ? 'text/plain' : 'text/html')
      response
        .writeHead(status === 201 ? 200 : status, status === 307 ? { Location: '/x' } : {})
        .end('page x')
    })
    for (const [path, status] of [
      ['/a404', 404],
      ['/a307', 307],
      ['/a201', 200],
      ['/a500', 299],
    ] as const) {
      expect((await site.ask(path)).status, path).toBe(status)
      expect((await site.ask(path)).status, path).toBe(status)
    }
    // The not-found page is another one that is rendered.
    expect(site.rendered.length).toBe(10)
    expect((await site.ask('/a307')).headers.get('location')).toBe('/x')
  })

  it('take a bounded amount of memory: those that were used least recently go first', async () => {
    await using site = await openPages((request, response) => {
      response.setHeader('Content-Type', 'text/html')
      response.end(`page ${site.rendered.length} ${'x'.repeat(3 * 1024 * 1024)}${request.url}`)
    })
    for (const path of ['/a', '/b', '/a', '/c']) await site.ask(path)
    expect((await site.ask('/a')).page).toBe(1)
    expect((await site.ask('/b')).page).toBe(4)
  })
})
