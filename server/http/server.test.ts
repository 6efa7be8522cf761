import { once } from 'node:events'
import { type AddressInfo, connect } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { viewerHeader, viewerName } from '@/server/auth/page-viewer'
import type { Config } from '@/server/kernel/config'
import { pathHeader } from '@/server/kernel/http/page-headers'
import { signIn } from '@/testing/browser'
import { processesOn } from '@/testing/git'
import { makeGitRepository, pushBody, startLocal, useWorkDirectory } from '@/testing/git-repository'
import { makePerson } from '@/testing/people'
import { rawHead, sendRaw } from '@/testing/raw'
import { useSite } from '@/testing/site'
import type { PageHandler } from './page-handler'
import { createHttpServer } from './server'

const site = useSite()
const work = useWorkDirectory()

/** Opens an HTTP server whose pages accept any body and send a fixed text. */
async function openServer(
  overrides: Partial<Config> = {},
  options: Parameters<typeof createHttpServer>[2] = {},
  pages: PageHandler = (request, response) => {
    request.resume().once('end', () => response.end('a page'))
  },
  log = site.services.log,
): Promise<{ url: string; [Symbol.asyncDispose](): Promise<void> }> {
  const config = { ...site.services.config, ...overrides }
  const server = createHttpServer({ ...site.services, config, log }, pages, options).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

it('the HTTP server keeps idle connections open for longer than proxies do', async () => {
  await using server = await openServer()
  const seconds = /^timeout=(\d+)$/.exec((await fetch(server.url)).headers.get('keep-alive') ?? '')?.[1]
  expect(Number(seconds)).toBeGreaterThan(60)
})

it('the HTTP server limits each address to a quarter of the connections, except trusted proxies', async () => {
  const trusted = (address: string | undefined) => address === '127.0.0.1'
  await using open = await openServer({}, { maxConnections: 40 })
  await using behindProxy = await openServer({ trustedProxies: trusted }, { maxConnections: 40 })
  const openMany = async ({ url }: { url: string }) => {
    const sockets = Array.from({ length: 15 }, () => connect(Number(new URL(url).port), '127.0.0.1'))
    const left = () => sockets.filter(socket => !socket.closed).length
    for (const socket of sockets) socket.on('error', () => undefined).resume()
    await Promise.all(sockets.map(socket => once(socket, 'connect')))
    return { sockets, left }
  }
  const many = await openMany(open)
  await expect.poll(many.left).toBe(10)
  for (const socket of many.sockets) socket.destroy()
  await expect.poll(async () => (await fetch(open.url)).status).toBe(200)
  const proxied = await openMany(behindProxy)
  expect((await fetch(behindProxy.url)).status).toBe(200)
  expect(proxied.left()).toBe(15)
  for (const socket of proxied.sockets) socket.destroy()
})

it("the HTTP server responds with 503 to connections above a network's share, and logs this once", async () => {
  const head = 'POST / HTTP/1.1\r\nHost: localhost\r\nContent-Length: 10000\r\n\r\n'
  const warnings: unknown[] = []
  const log = Object.assign(Object.create(site.services.log), {
    warn: (...said: unknown[]) => warnings.push(said),
  })
  await using server = await openServer({}, { maxConnections: 40 }, undefined, log)
  const answers = await Promise.all(
    Array.from({ length: 30 }, async (_, at) => {
      const socket = connect(Number(new URL(server.url).port), '127.0.0.1')
      let text = ''
      socket
        .on('error', () => undefined)
        .on('data', chunk => {
          text += chunk
        })
      // Some clients send first and must still be able to read the response.
      if (at % 2) socket.write(`${head}${'x'.repeat(10_000)}`)
      await delay(500)
      socket.destroy()
      return text
    }),
  )
  const refused = answers.filter(text => text.startsWith('HTTP/1.1 503 '))
  expect(refused).toHaveLength(20)
  expect(refused[0]).toContain('Retry-After: 5\r\n')
  expect(refused[0]).toMatch(/too many connections from your address.*\n$/)
  expect(warnings).toHaveLength(1)
})

describe('the HTTP server', () => {
  it('responds with 431 in the API format to more than 16 KiB of URL and headers', async () => {
    await using server = await openServer()
    const long = 'x'.repeat(16 * 1024)
    for (const head of [
      rawHead('GET', `/api/v1/users/${long}`),
      rawHead('GET', '/api/v1/user', { Long: long }),
    ]) {
      const { status, text } = await sendRaw(server, head, { more: true })
      const [headers = '', body = ''] = text.split('\r\n\r\n')
      expect(status).toBe(431)
      expect(headers).toContain('Content-Type: application/json;charset=utf-8')
      expect(headers).toContain('X-Content-Type-Options: nosniff')
      expect(JSON.parse(body)).toEqual({
        message: 'the URL and headers of a request must be at most 16 KiB in total',
        url: `${site.services.config.baseUrl}/api/docs`,
      })
    }
    expect((await sendRaw(server, rawHead('GET', `/${'x'.repeat(15 * 1024)}`))).status).toBe(200)
  })

  it('responds with 400 in JSON to malformed HTTP, but adds nothing to a response in progress', async () => {
    await using server = await openServer()
    const refused = await sendRaw(server, 'HELLO\r\n\r\n', { more: true })
    expect(refused.status).toBe(400)
    expect(refused.text).toContain('{"message":"the request is not well-formed HTTP"')
    await using slow = await openServer({}, {}, (_, response) => void response.write('half of a page'))
    const { hostname, port } = new URL(slow.url)
    const socket = connect(Number(port), hostname).setEncoding('latin1')
    socket.write(rawHead('GET', '/', { Connection: 'keep-alive' }).repeat(2))
    let received = ''
    for await (const text of socket) {
      received += text
      if (text.includes('half of a page')) socket.write('HELLO\r\n\r\n')
    }
    expect(received).toMatch(/half of a page\r\n$/)
  })

  it('responds with 400 to two Host headers, because a proxy may have used the other one', async () => {
    await using server = await openServer()
    for (const path of ['/', '/healthz', '/api/v1/version', '/ada.keys', '/ada/site.git/info/refs']) {
      const head = rawHead('GET', path).trimEnd()
      expect((await sendRaw(server, `${head}\r\nhost: elsewhere.test\r\n\r\n`)).status, path).toBe(400)
    }
  })

  it('responds with 200 to an HTTP/1.0 health check without a Host header', async () => {
    await using server = await openServer()
    for (const path of ['/healthz', '/readyz', '/api/v1/version']) {
      expect((await sendRaw(server, `GET ${path} HTTP/1.0\r\n\r\n`, { more: true })).status, path).toBe(200)
    }
  })

  it('responds with 405 to methods that pages do not support', async () => {
    await using server = await openServer()
    for (const method of ['TRACE', 'OPTIONS', 'PUT', 'PATCH', 'DELETE', 'PROPFIND']) {
      const answer = await sendRaw(server, rawHead(method, '/'))
      expect([answer.status, answer.text], method).toEqual([405, expect.stringContaining('Allow: GET, HEAD')])
    }
    for (const method of ['GET', 'HEAD', 'POST']) {
      expect((await sendRaw(server, rawHead(method, '/'))).status, method).toBe(200)
    }
  })
})

describe('a request body that does not arrive', () => {
  /** Sends the beginning of a body; without `beginning`, sends a few more bytes from time to time. */
  async function isCutOff(
    url: string,
    path: string,
    withinMs: number,
    { headers = {}, beginning }: { headers?: Record<string, string>; beginning?: Buffer } = {},
  ): Promise<boolean> {
    const head = rawHead('POST', path, {
      'Content-Length': '1000',
      'Content-Type': 'application/json',
      Connection: 'keep-alive',
      Origin: url,
      ...headers,
    })
    const socket = connect(Number(new URL(url).port), '127.0.0.1')
    const trickle = beginning ? undefined : setInterval(() => socket.write('0'), 20)
    try {
      socket
        .on('error', () => undefined)
        .write(Buffer.concat([Buffer.from(head), beginning ?? Buffer.of(123)]))
      socket.resume()
      const closed = new Promise<boolean>(resolve => socket.once('close', () => resolve(true)))
      return await Promise.race([closed, delay(withinMs, false)])
    } finally {
      clearInterval(trickle)
      socket.destroy()
    }
  }

  const gitHeaders = (service: string): Record<string, string> => ({
    'Content-Type': `application/x-${service}-request`,
  })

  it.each([
    ['the JSON API', '/api/v1/user/keys'],
    ['procedures', '/api/trpc/sessions.signIn'],
    ['key lists', '/ada.keys'],
    ['health checks', '/healthz'],
    ['pages', '/ada'],
    ['ref lists, which are requested without a body', '/ada/site.git/info/refs?service=git-upload-pack'],
    ['files that only old git clients read', '/ada/site.git/objects/info/packs'],
    ['a fetch of the wrong type', '/ada/site.git/git-upload-pack'],
    ['a fetch without credentials', '/ada/site.git/git-upload-pack', gitHeaders('git-upload-pack')],
    ['a push without credentials', '/ada/site.git/git-receive-pack', gitHeaders('git-receive-pack')],
  ])('is cut off at the deadline in requests for %s', async (_, path, headers = {}) => {
    await using server = await openServer({}, { bodyDeadlineMs: 50 })
    expect(await isCutOff(server.url, path, 10_000, { headers })).toBe(true)
  })

  it('has a pace instead of a deadline if it has files', async () => {
    await using server = await openServer({}, { bodyDeadlineMs: 50 })
    const person = await makePerson(site)
    const { cookie: Cookie } = await signIn(site, person)
    const viewer = { [viewerHeader]: viewerName(person.account.id) }
    const headers = { 'Sec-Fetch-Site': 'same-origin', Cookie, ...viewer }
    expect(await isCutOff(server.url, '/api/trpc/code.changeFiles', 500, { headers })).toBe(false)
  })

  it('has no deadline in a push until the response has been sent', async () => {
    const person = await makePerson(site)
    const { path, directory } = await makeGitRepository(site, person.account)
    const local = work.path()
    const beginning = (await pushBody(local, await startLocal(local))).subarray(0, -5)
    await using server = await openServer({}, { bodyDeadlineMs: 50 })
    const headers = { ...gitHeaders('git-receive-pack'), Authorization: `token ${person.token}` }
    const cutOff = isCutOff(server.url, `${path}.git/git-receive-pack`, 1000, { headers, beginning })
    const isBusy = async () => (await processesOn(directory)).length > 0
    await expect.poll(isBusy, { timeout: 20_000 }).toBe(true)
    expect(await cutOff).toBe(false)
    await expect.poll(isBusy, { timeout: 20_000 }).toBe(false)
  })
})

describe('Strict-Transport-Security', () => {
  it('is sent with every response of a site with an https URL', async () => {
    await using server = await openServer({ baseUrl: 'https://forge.example.test' })
    for (const path of ['/', '/healthz', '/api/v1/version', '/api/v1/none', '/ada.keys', '/%']) {
      const { headers } = await fetch(server.url + path)
      expect(headers.get('strict-transport-security'), path).toBe('max-age=31536000')
    }
  })

  it('is not sent by a site with an http URL', async () => {
    await using server = await openServer({ baseUrl: 'http://forge.example.test' })
    expect((await fetch(server.url)).headers.get('strict-transport-security')).toBeNull()
  })
})

describe('GET /metrics', () => {
  it('responds with 401 without the configured token', async () => {
    const metricsToken = 'a token for the scraper'.replaceAll(' ', '-')
    await using server = await openServer({ metrics: true, metricsToken })
    const ask = (authorization?: string) =>
      fetch(`${server.url}/metrics`, { headers: authorization ? { authorization } : {} })
    for (const wrong of [undefined, 'Bearer', `Bearer ${metricsToken}x`, `token ${metricsToken}`]) {
      const answer = await ask(wrong)
      expect([answer.status, await answer.text()]).toEqual([401, expect.not.stringContaining('guildhall_')])
    }
    const answer = await ask(`Bearer ${metricsToken}`)
    expect([answer.status, await answer.text()]).toEqual([200, expect.stringContaining('guildhall_')])
  })
})

it("the HTTP server replaces Next's response for an absent page with the not-found page rendered for the URL", async () => {
  const pages: PageHandler = (request, response) => {
    const isNotFoundPage = request.url === '/_not-found'
    const kind = request.url?.startsWith('/data') ? 'application/json' : 'text/html; charset=utf-8'
    response.statusCode = 404
    response.setHeader('Content-Type', kind)
    response.setHeader(isNotFoundPage ? 'X-Whole' : 'X-Draft', 'yes')
    response.write(isNotFoundPage ? '<main>' : 'for scripts: ')
    response.end(String(request.headers[pathHeader]))
  }
  await using server = await openServer({}, {}, pages)
  const ask = async (path: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(server.url + path, { headers })
    const names = [...answer.headers.keys()].filter(name =>
      ['x-whole', 'x-draft', 'x-request-id'].includes(name),
    )
    return [answer.status, names, await answer.text()]
  }
  const forged = { [pathHeader]: '/elsewhere' }
  const whole = ['x-request-id', 'x-whole']
  expect(await ask('/no/such?q=1', forged)).toEqual([404, whole, '<main>/no/such?q=1'])
  const head = await fetch(`${server.url}/no/such`, { method: 'HEAD' })
  expect([head.status, head.headers.get('x-whole')]).toEqual([404, 'yes'])
  expect(head.headers.get('content-length')).toBe(String('<main>/no/such'.length))
  // Responses that scripts render themselves, and responses other than pages, are not replaced.
  const draft = ['x-draft', 'x-request-id']
  expect(await ask('/no/such', { rsc: '1', ...forged })).toEqual([404, draft, 'for scripts: /no/such'])
  expect(await ask('/data?_rsc=1', forged)).toEqual([404, draft, 'for scripts: /data'])
})
