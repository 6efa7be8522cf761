import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { setTimeout as delay } from 'node:timers/promises'
import { describe, expect, it } from 'vitest'
import type { Mount } from '@/server/api/mount'
import type { Connection, Handler } from '@/server/kernel/http/call'
import { callOf, responseOf } from '@/server/kernel/http/web-call'
import { useSite } from '@/testing/site'
import { createHttpServer } from './server'

const site = useSite()
const mib = 1024 * 1024
const chunk = Buffer.alloc(64 * 1024, 'bytes')
const size = 64 * mib
const digest = (() => {
  const hash = createHash('sha256')
  for (let sent = 0; sent < size; sent += chunk.length) hash.update(chunk)
  return hash.digest('hex')
})()

// Not valid text: its first byte starts a character that never ends.
const message = Uint8Array.from([0xff, 0, 0x80, 7])

interface Seen {
  made: number
  consumed: number
  source?: Readable
}

/** A mount that exists only for this test: it receives and sends bytes and records what happened. */
function byteMount(): { mount: Mount; seen: Seen } {
  const seen: Seen = { made: 0, consumed: 0 }
  function source(bytes: number, fails = false): Readable {
    let left = bytes
    const stream = new Readable({
      read() {
        if (left > 0) {
          left -= chunk.length
          seen.made += chunk.length
          this.push(chunk)
        } else if (fails) this.destroy(new Error('the disk is gone'))
        else this.push(null)
      },
    })
    seen.source = stream
    return stream
  }
  const answers: Record<string, Handler> = {
    '/bytes/download': async () => ({ status: 200, headers: {}, body: source(size) }),
    '/bytes/failing': async () => ({ status: 200, headers: {}, body: source(mib, true) }),
    '/bytes/message': async () => ({ status: 200, headers: {}, body: message }),
    '/bytes/refuse': async () => ({ status: 413, headers: {}, body: 'too much\n' }),
    '/bytes/digest': async call => {
      const hash = createHash('sha256')
      for await (const part of call.stream()) hash.update(part)
      return { status: 200, headers: {}, body: hash.digest('hex') }
    },
    '/bytes/slow': async call => {
      for await (const part of call.stream()) {
        seen.consumed += part.length
        await delay(10)
      }
      return { status: 200, headers: {}, body: 'done' }
    },
    '/bytes/echo': async call => ({ status: 200, headers: {}, body: call.stream() }),
  }
  const mount: Mount = {
    name: 'bytes',
    match: path => path.startsWith('/bytes/'),
    pacesBody: () => true,
    createHandler: () => (call, connection) => (answers[call.path] as Handler)(call, connection),
  }
  return { mount, seen }
}

/** A host that supports only web requests and responses, like Next. */
function webServer(handle: Handler): Server {
  const answer = async (incoming: IncomingMessage, outgoing: ServerResponse) => {
    const { method = 'GET', url } = incoming
    const disconnected = new AbortController()
    outgoing.once('close', () => disconnected.abort())
    const body = ['GET', 'HEAD'].includes(method) ? null : (Readable.toWeb(incoming) as ReadableStream)
    const init = { method, body, signal: disconnected.signal, duplex: 'half' }
    const call = callOf(new Request(`http://localhost${url}`, init))
    const connection: Connection = {
      remoteAddress: '',
      requestId: '',
      disconnected: () => disconnected.signal,
    }
    const response = responseOf(await handle(call, connection), method)
    outgoing.writeHead(response.status, Object.fromEntries(response.headers))
    if (!response.body) return void outgoing.end()
    const reader = response.body.getReader()
    try {
      for (;;) {
        const { done, value } = await reader.read()
        if (done) break
        if (outgoing.destroyed) throw new Error('the client is gone')
        if (!outgoing.write(value)) await once(outgoing, 'drain', { signal: disconnected.signal })
      }
      outgoing.end()
    } catch (error) {
      outgoing.destroy()
      await reader.cancel(error)
    }
  }
  return createServer((incoming, outgoing) => void answer(incoming, outgoing).catch(() => undefined))
}

describe.each(['our own server', 'a web host'])('byte streams over %s', host => {
  async function open() {
    const { mount, seen } = byteMount()
    const server =
      host === 'a web host'
        ? webServer(mount.createHandler(site.services))
        : createHttpServer(site.services, (_, response) => void response.end(), { mounts: [mount] })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/bytes`
    return {
      url,
      seen,
      async [Symbol.asyncDispose]() {
        server.closeAllConnections()
        server.close()
        await once(server, 'close')
      },
    }
  }

  /** Reads everything available and returns whether the connection was cut off. */
  async function read(url: string) {
    const sent = request(url).end()
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    const hash = createHash('sha256')
    let bytes = 0
    const whole = await pipeline(response, async chunks => {
      for await (const part of chunks) {
        hash.update(part)
        bytes += part.length
      }
    }).then(
      () => true,
      () => false,
    )
    return { status: response.statusCode, whole, bytes, digest: hash.digest('hex') }
  }

  it('transfer 64 MB completely in both directions', async () => {
    await using site = await open()
    expect(await read(`${site.url}/download`)).toEqual({ status: 200, whole: true, bytes: size, digest })
    const sent = request(`${site.url}/digest`, { method: 'PUT' })
    void pipeline(Readable.from(Array(size / chunk.length).fill(chunk)), sent)
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    expect(await response.toArray().then(parts => Buffer.concat(parts).toString())).toBe(digest)
  })

  it('send a buffer unchanged, with its length', async () => {
    await using site = await open()
    for (const method of ['GET', 'HEAD']) {
      const [response] = (await once(request(`${site.url}/message`, { method }).end(), 'response')) as [
        IncomingMessage,
      ]
      const body = Buffer.concat(await response.toArray())
      expect([response.headers['content-length'], response.headers['transfer-encoding']]).toEqual([
        String(message.length),
        undefined,
      ])
      expect(body).toEqual(Buffer.from(method === 'HEAD' ? [] : message))
    }
  })

  it('can echo a request body while it is still being received', async () => {
    await using site = await open()
    const sent = request(`${site.url}/echo`, { method: 'POST' })
    sent.write('first')
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    const parts = response.setEncoding('utf8')[Symbol.asyncIterator]()
    expect((await parts.next()).value).toBe('first')
    sent.end('last')
    expect((await parts.next()).value).toBe('last')
    expect((await parts.next()).done).toBe(true)
  })

  it('produce nothing ahead of a client that does not read, and end the source when the client disconnects', async () => {
    await using site = await open()
    const sent = request(`${site.url}/download`).end()
    sent.on('error', () => undefined)
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    response.pause()
    let before = -1
    await expect
      .poll(
        () => {
          const isStill = before === site.seen.made
          before = site.seen.made
          return isStill
        },
        { interval: 200, timeout: 20_000 },
      )
      .toBe(true)
    // What the operating system buffers for a connection, and nothing beyond that.
    expect(site.seen.made).toBeLessThan(16 * mib)
    sent.destroy()
    await expect.poll(() => site.seen.source?.destroyed).toBe(true)
  })

  it('read nothing ahead of a mount that reads slowly', async () => {
    await using site = await open()
    const sent = request(`${site.url}/slow`, { method: 'PUT' })
    sent.on('error', () => undefined)
    let produced = 0
    let ahead = 0
    const source = (function* () {
      for (; produced < size; produced += chunk.length) {
        ahead = Math.max(ahead, produced - site.seen.consumed)
        yield chunk
      }
    })()
    void pipeline(Readable.from(source, { highWaterMark: 1 }), sent).catch(() => undefined)
    await expect.poll(() => site.seen.consumed, { timeout: 20_000 }).toBeGreaterThan(4 * mib)
    expect(ahead).toBeLessThan(16 * mib)
    expect(produced).toBeLessThan(size)
    sent.destroy()
  })

  it('read nothing from the source for HEAD', async () => {
    await using site = await open()
    const answer = await fetch(`${site.url}/download`, { method: 'HEAD' })
    expect([answer.status, await answer.text()]).toEqual([200, ''])
    expect(site.seen.source?.destroyed).toBe(true)
    expect(site.seen.made).toBe(0)
  })

  it('do not end normally if the source fails halfway', async () => {
    await using site = await open()
    expect(await read(`${site.url}/failing`)).toMatchObject({ status: 200, whole: false })
  })
})

describe('a client that sends Expect: 100-continue', () => {
  async function open() {
    const { mount, seen } = byteMount()
    const server = createHttpServer(site.services, (_, response) => void response.end('a page'), {
      mounts: [mount],
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    const { port } = server.address() as AddressInfo
    const ask = async (path: string) => {
      const headers = { expect: '100-continue', 'content-length': 5 }
      const sent = request({ port, host: '127.0.0.1', path, method: 'POST', headers })
      let invited = false
      sent
        .on('error', () => undefined)
        .on('continue', () => {
          invited = true
          sent.end('hello')
        })
      sent.flushHeaders()
      const [response] = (await once(sent, 'response')) as [IncomingMessage]
      const { statusCode: status, headers: got } = response
      response.resume()
      sent.destroy()
      return { status, invited, connection: got.connection }
    }
    return {
      ask,
      seen,
      [Symbol.dispose]() {
        server.closeAllConnections()
        server.close()
      },
    }
  }

  it('is told to continue once a mount reads the body', async () => {
    using site = await open()
    expect(await site.ask('/bytes/digest')).toEqual({ status: 200, invited: true, connection: 'keep-alive' })
  })

  it('is not told to continue by a mount that refuses the body unread', async () => {
    using site = await open()
    expect(await site.ask('/bytes/refuse')).toEqual({ status: 413, invited: false, connection: 'close' })
  })

  it('is told to continue by pages', async () => {
    using site = await open()
    expect(await site.ask('/')).toMatchObject({ status: 200, invited: true })
  })
})
