import { connect } from 'node:net'
import { setTimeout } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import { viewerHeader, viewerName } from '@/server/auth/page-viewer'
import { signIn } from '@/testing/browser'
import { call } from '@/testing/call'
import { makeCode } from '@/testing/code'
import { makePerson, makeToken } from '@/testing/people'
import { rawHead, sendRaw } from '@/testing/raw'
import { mount, useSite } from '@/testing/site'

const site = useSite()
const tenMegabytes = 10 * 1024 * 1024

function chunked(size: number): ReadableStream<Uint8Array> {
  let sent = 0
  return new ReadableStream({
    pull(controller) {
      if (sent >= size) return controller.close()
      sent += 65_536
      controller.enqueue(new Uint8Array(65_536).fill(0x20))
    },
  })
}

describe('a body of 10 MB', () => {
  it('returns 413 if its length is announced', async () => {
    const ada = await makePerson(site)
    const raw = ' '.repeat(tenMegabytes)
    const headers = { 'content-type': 'application/json' }
    const answer = await call(site, 'POST', '/user/keys', { as: ada, raw, headers })
    expect(answer.status).toBe(413)
    expect(answer.body).toEqual({
      message: expect.stringContaining('1048576 bytes'),
      url: `${site.url}/api/docs`,
    })
  })

  it('returns 413 if it is sent in chunks without a length', async () => {
    const ada = await makePerson(site)
    const response = await fetch(`${site.url}/api/v1/user/keys`, {
      method: 'POST',
      headers: { authorization: `token ${ada.token}`, 'content-type': 'application/json' },
      body: chunked(tenMegabytes),
      duplex: 'half',
    } as RequestInit)
    expect(response.status).toBe(413)
  })

  it('returns 401 before it is read if the request has no credentials', async () => {
    const answer = await sendRaw(
      site,
      rawHead('POST', '/api/v1/user/keys', {
        'Content-Length': String(tenMegabytes),
        'Content-Type': 'application/json',
      }),
      { more: true },
    )
    expect(answer.status).toBe(401)
  })

  // Plain Next does not respond to an authenticated caller before the body has arrived.
  it.skipIf(mount === 'next')('returns 403 before it is read if the token lacks the scope', async () => {
    const ada = await makePerson(site)
    const token = await makeToken(site, ada.account.id, ['read:user'])
    const answer = await sendRaw(
      site,
      rawHead('POST', '/api/v1/user/keys', {
        'Content-Length': '1000',
        'Content-Type': 'application/json',
        Authorization: `token ${token}`,
      }),
      { more: true },
    )
    expect([answer.status, answer.text]).toEqual([403, expect.stringContaining('write:user')])
  })

  it('is ignored by an endpoint that takes no body (204)', async () => {
    const [ada, bob] = [await makePerson(site), await makePerson(site)]
    const raw = ' '.repeat(tenMegabytes)
    expect((await call(site, 'PUT', `/user/blocks/${bob.name}`, { as: ada, raw })).status).toBe(204)
  })

  it('does not affect later requests', async () => {
    expect((await call(site, 'GET', '/version')).status).toBe(200)
  })
})

it('a body of just under a megabyte is validated and returns 422', async () => {
  const ada = await makePerson(site)
  const body = { title: 'x', key: 'x'.repeat(1024 * 1024 - 100) }
  const answer = await call(site, 'POST', '/user/keys', { as: ada, body })
  expect([answer.status, answer.body.message]).toEqual([422, 'SSH public key content is too long'])
})

it('a body with 100,000 levels of nesting returns 422', async () => {
  const ada = await makePerson(site)
  const headers = { 'content-type': 'application/json' }
  for (const raw of ['['.repeat(100_000), `{"title":${'['.repeat(100_000)}${']'.repeat(100_000)}}`]) {
    expect((await call(site, 'POST', '/user/keys', { as: ada, raw, headers })).status).toBe(422)
  }
})

describe.skipIf(mount === 'next')('a request head that is too large or malformed', () => {
  it.each([
    ['431: a header of 100 kB', rawHead('GET', '/api/v1/version', { 'X-Big': 'x'.repeat(100_000) }), [431]],
    ['431: a path of 100 kB', rawHead('GET', `/api/v1/${'x'.repeat(100_000)}`), [431, 414]],
    ['400: no HTTP at all', 'hello\r\n\r\n', [400]],
    [
      '400: two lengths',
      `${rawHead('POST', '/api/v1/user/keys', { 'Content-Length': '1' }).trimEnd()}\r\nContent-Length: 2\r\n\r\nx`,
      [400],
    ],
    ['400: no Host', 'GET /api/v1/version HTTP/1.1\r\n\r\n', [400]],
  ])('%s', async (_, request, statuses) => {
    expect(statuses).toContain((await sendRaw(site, request)).status)
    expect((await call(site, 'GET', '/version')).status).toBe(200)
  })
})

// Plain Next reads bodies before it calls handlers.
describe.skipIf(mount === 'next')('bodies with files', () => {
  const bytes = 32 * 1024 * 1024

  /** Announces a body, and returns what the server says until then. */
  function announce(path: string, headers: Record<string, string>) {
    const { hostname, port } = new URL(site.url)
    const socket = connect({ host: hostname, port: Number(port) })
    let said = ''
    socket.setEncoding('latin1').on('data', text => {
      said += text
    })
    socket.on('error', () => undefined)
    const [type, length] = ['application/json', String(bytes)]
    const head = { 'Content-Type': type, 'Content-Length': length, Expect: '100-continue', ...headers }
    socket.write(rawHead('POST', path, head))
    return { socket, said: () => said }
  }

  it('are read for one account only so many at a time, over REST and from pages, before access is known', async () => {
    const [ada, owner] = [await makePerson(site), await makePerson(site)]
    const { path } = await makeCode(site, owner, { a: '1' })
    const rest = () => announce(`/api/v1${path}/contents/a`, { Authorization: `token ${ada.token}` })
    const browser = await signIn(site, ada)
    const ofPage = {
      Cookie: browser.cookie,
      'Sec-Fetch-Site': 'same-origin',
      [viewerHeader]: viewerName(ada.account.id),
    }
    const page = () => announce('/api/trpc/code.changeFiles', ofPage)
    const first = [rest(), rest(), rest(), rest(), page(), page(), page(), page()]
    for (const { said } of first) await expect.poll(said).toBe('HTTP/1.1 100 Continue\r\n\r\n')
    const waiting = [rest(), page()]
    await setTimeout(200)
    expect(waiting.map(({ said }) => said())).toEqual(['', ''])
    for (const { socket } of first.slice(3, 5)) socket.destroy()
    for (const { said } of waiting) await expect.poll(said).toBe('HTTP/1.1 100 Continue\r\n\r\n')
    for (const { socket } of [...first, ...waiting]) socket.destroy()
  })
})
