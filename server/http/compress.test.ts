import { once } from 'node:events'
import { createServer, get, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setTimeout as delay } from 'node:timers/promises'
import { brotliDecompressSync, createGunzip, gunzipSync } from 'node:zlib'
import { expect, it } from 'vitest'
import { compressResponse } from './compress'

type Answer = (response: ServerResponse, request: IncomingMessage) => unknown

const row = '<li class="row">One of many rows</li>'
const html = row.repeat(200)

/** Opens a server whose answers are compressed. */
async function serve(
  answer: Answer,
  takeWhole?: (compressed: Buffer) => void,
): Promise<{
  ask: (accepted?: string, method?: string, path?: string) => Promise<IncomingMessage>
  [Symbol.asyncDispose](): Promise<void>
}> {
  const server = createServer((request, response) => {
    compressResponse(request, response, takeWhole)
    // As Next does.
    const setHeader = response.setHeader.bind(response)
    response.setHeader = (name, value) => (response.headersSent ? response : setHeader(name, value))
    response.setHeader('Content-Type', 'text/html; charset=utf-8')
    answer(response, request)
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    ask: async (accepted, method = 'GET', path = '/') => {
      const headers = accepted === undefined ? {} : { 'accept-encoding': accepted }
      const request = get({ port, path, host: '127.0.0.1', method, headers, agent: false })
      request.on('error', () => undefined)
      return (await once(request, 'response'))[0] as IncomingMessage
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

const writeInParts: Answer = response => {
  response.flushHeaders()
  for (let part = 0; part < 4; part++) response.write(row.repeat(50))
  response.end()
}

it('a response gets the headers of a flat list', async () => {
  await using server = await serve(response => {
    response.setHeader('Retry-After', '60')
    const list = ['Retry-After', '5', 'Content-Type', 'text/plain', 'Set-Cookie', 'a=1', 'Set-Cookie', 'b=2']
    response.writeHead(503, list).end('Sad')
  })
  const { statusCode, headers } = await server.ask('br')
  expect(statusCode).toBe(503)
  const expected = { 'retry-after': '5', 'content-type': 'text/plain', 'set-cookie': ['a=1', 'b=2'] }
  expect(headers).toMatchObject(expected)
})

it.each([
  ['gzip, deflate, br', 'br', brotliDecompressSync],
  ['gzip, br;q=0', 'gzip', gunzipSync],
])(
  'a page written without a pause is sent to a client with %s as one %s with its length',
  async (accepted, name, decode) => {
    await using server = await serve(writeInParts)
    const answer = await server.ask(accepted)
    const body = await buffer(answer)
    expect(answer.headers).toMatchObject({
      'content-encoding': name,
      'content-length': String(body.length),
      vary: 'Accept-Encoding',
    })
    expect(decode(body).toString()).toBe(html)
  },
)

it('a page that pauses sends what it has, and the rest when it is written', async () => {
  let finish = (): void => undefined
  await using server = await serve(response => {
    response.write(row)
    finish = () => response.end(row)
  })
  const answer = await server.ask('gzip')
  expect(answer.headers).toMatchObject({ 'content-encoding': 'gzip' })
  const parts = answer.pipe(createGunzip()).setEncoding('utf8')
  expect((await once(parts, 'data'))[0]).toBe(row)
  finish()
  expect((await once(parts, 'data'))[0]).toBe(row)
})

it.each<[string, Answer]>([
  ['is small', response => response.end(row)],
  ['is not a text', response => response.setHeader('Content-Type', 'image/png').end(html)],
  ['is a part of a file', response => response.writeHead(206).end(html)],
  ['is compressed already', response => response.setHeader('Content-Encoding', 'zstd').end(html)],
  ['must not be changed', response => response.setHeader('Cache-Control', 'no-transform').end(html)],
])('a response that %s is sent as it is', async (_, send) => {
  await using server = await serve(send)
  const answer = await server.ask('gzip, br')
  expect(['zstd', undefined]).toContain(answer.headers['content-encoding'])
  expect([row, html]).toContain((await buffer(answer)).toString())
})

it('a response without a body, or to a client that accepts no coding, is not compressed', async () => {
  await using server = await serve(response => response.end(html))
  expect((await server.ask('br', 'HEAD')).headers).not.toHaveProperty('content-encoding')
  const answer = await server.ask()
  expect(answer.headers).toMatchObject({ vary: 'Accept-Encoding' })
  expect((await buffer(answer)).toString()).toBe(html)
})

it('the ETag of a compressed response is weak', async () => {
  await using server = await serve(response => response.setHeader('ETag', '"one"').end(html))
  expect((await server.ask('br')).headers.etag).toBe('W/"one"')
})

it('responses of any size, at the same time and one after the other, are complete and contain nothing else', async () => {
  // Below, at, and above what is collected of a response.
  const sizes = [300_000, 2_000, 262_144, 1_000, 262_145, 0, 40_000]
  const bodies = new Map(sizes.map((size, index) => [`/${index}`, String(index).repeat(size)]))
  await using server = await serve((response, { url = '' }) => {
    response.flushHeaders()
    const body = bodies.get(url) ?? ''
    for (let at = 0; at < body.length - 10_000; at += 10_000) response.write(body.slice(at, at + 10_000))
    response.end(body.slice(Math.ceil(Math.max(0, body.length - 10_000) / 10_000) * 10_000))
  })
  for (let round = 0; round < 3; round++) {
    const left = [...bodies.keys()].map(async path => void (await server.ask('br', 'GET', path)).destroy())
    const received = await Promise.all(
      [...bodies.keys()].map(async path => {
        const response = await server.ask('br', 'GET', path)
        const body = await buffer(response)
        const isEncoded = response.headers['content-encoding'] === 'br'
        return [path, String(isEncoded ? brotliDecompressSync(body) : body)] as const
      }),
    )
    for (const [path, body] of received) expect(body === bodies.get(path), path).toBe(true)
    await Promise.all(left)
  }
})

it('a large response waits for a slow client', async () => {
  const total = 400
  let written = 0
  await using server = await serve(async response => {
    // Random bytes do not get smaller.
    const part = crypto.getRandomValues(Buffer.alloc(65_536))
    for (; written < total; written++) if (!response.write(part)) await once(response, 'drain')
    response.end()
  })
  const answer = await server.ask('gzip')
  answer.pause()
  let seen = -1
  while (seen !== written) {
    seen = written
    await delay(100)
  }
  expect(written).toBeLessThan(total)
  answer.resume()
  await expect.poll(() => written).toBeGreaterThan(seen)
})

it('a client that leaves ends the response', async () => {
  let answered: ServerResponse | undefined
  await using server = await serve(response => {
    answered = response
    response.write(html)
  })
  const answer = await server.ask('gzip')
  answer.destroy()
  if (!answered?.closed) await once(answered as ServerResponse, 'close')
  expect(answered?.write(html)).toBeTypeOf('boolean')
})

it('whoever takes what was compressed can fail, and gets nothing that is sent in parts', async () => {
  const received: Buffer[] = []
  await using server = await serve(
    async response => {
      response.write(html)
      if (received.length > 0) await delay(200)
      response.end()
    },
    compressed => {
      received.push(compressed)
      throw new Error('expected by a test')
    },
  )
  const warned = once(process, 'warning')
  const whole = await buffer(await server.ask('gzip'))
  expect((await warned)[0]).toMatchObject({ message: 'expected by a test' })
  expect(received).toEqual([whole])
  const inParts = await buffer(await server.ask('gzip'))
  expect([String(gunzipSync(inParts)), received.length]).toEqual([html, 1])
})
