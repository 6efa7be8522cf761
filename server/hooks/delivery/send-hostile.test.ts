import { once } from 'node:events'
import { type AddressInfo, createServer, type Socket } from 'node:net'
import { gzipSync } from 'node:zlib'
import { afterAll, afterEach, describe, expect, it } from 'vitest'
import { parseAllowedHosts } from '@/server/kernel/egress'
import { createEgress } from '@/server/kernel/egress/dispatcher'
import { type Exchange, send } from './send'

const egress = createEgress(parseAllowedHosts('loopback'))
const closing: (() => void)[] = []
afterEach(() => {
  for (const close of closing.splice(0)) close()
})
afterAll(() => egress.close())

/**
 * Starts a server on the loopback interface that handles each connection with a function of the test. Returns
 * its URL.
 */
async function listening(respond: (socket: Socket) => void): Promise<string> {
  const sockets = new Set<Socket>()
  const server = createServer(socket => {
    sockets.add(socket)
    socket.on('error', () => {})
    socket.once('data', () => respond(socket))
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  closing.push(() => {
    server.close()
    for (const socket of sockets) socket.destroy()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

const post = (url: string, timeoutMs = 500): Promise<Exchange> =>
  send(
    egress.dispatcher,
    { url, method: 'POST', headers: {}, body: '{}' },
    { interrupted: new AbortController().signal, timeoutMs },
  )

const bytes = (text: string) => (socket: Socket) => void socket.end(text, 'latin1')
const open = (text: string) => (socket: Socket) => void socket.write(text)
const then = (text: string, next: (socket: Socket) => void) => (socket: Socket) =>
  void socket.write(text, () => next(socket))
/** Sends the same bytes repeatedly, as fast as the client reads them. */
const endless =
  (text: string, begin = '') =>
  (socket: Socket): void => {
    const block = text.repeat(Math.ceil(16_384 / text.length))
    const more = (): void => {
      while (!socket.destroyed && socket.write(block));
    }
    socket.on('drain', more)
    socket.write(begin)
    more()
  }
const dripping = (text: string) => (socket: Socket) => {
  let at = 0
  const timer = setInterval(() => socket.write(text[at++ % text.length]!), 20)
  socket.once('close', () => clearInterval(timer))
}

const ok = 'HTTP/1.1 200 OK\r\n'

describe('an attempt fails with an error message if the receiver', () => {
  it.each<[what: string, respond: (socket: Socket) => void, error: RegExp]>([
    ['sends endless headers', endless('X-More: and more\r\n', ok), /^not an HTTP response: /],
    ['sends a single endless header', endless('x', `${ok}X-Long: `), /^not an HTTP response: /],
    [
      'sends its headers byte by byte',
      dripping(`${ok}${'X-A: b\r\n'.repeat(99)}`),
      /^timed out: no response/,
    ],
    [
      'sends endless informational responses',
      endless('HTTP/1.1 102 Processing\r\n\r\n'),
      /^not an HTTP response: more than 20 informational responses/,
    ],
    [
      'switches the protocol',
      bytes('HTTP/1.1 101 Go\r\nUpgrade: x\r\nConnection: Upgrade\r\n\r\n'),
      /^connection lost: /,
    ],
    [
      'sends two different content lengths',
      bytes(`${ok}Content-Length: 2\r\nContent-Length: 3\r\n\r\nok`),
      /^not an HTTP response: /,
    ],
    [
      'sends both a content length and chunks',
      bytes(`${ok}Content-Length: 2\r\nTransfer-Encoding: chunked\r\n\r\nok`),
      /^not an HTTP response: /,
    ],
    [
      'hides a line break in a header',
      bytes(`${ok}X-A: b\rSet-Cookie: c\r\nContent-Length: 0\r\n\r\n`),
      /^not an HTTP response: /,
    ],
    [
      'sends a NUL in a header',
      bytes(`${ok}X-A: b\0c\r\nContent-Length: 0\r\n\r\n`),
      /^not an HTTP response: /,
    ],
    ['responds with a four-digit status', bytes('HTTP/1.1 2000 OK\r\n\r\n'), /^not an HTTP response: /],
    [
      'sends "100 Continue" although the request did not ask for it',
      bytes(`HTTP/1.1 100 Continue\r\n\r\n${ok}\r\n`),
      /^connection lost: /,
    ],
    ['closes the connection without a response', socket => void socket.end(), /^connection lost: /],
  ])('%s', async (_, respond, error) => {
    const exchange = await post(await listening(respond))
    expect(exchange.error).toMatch(error)
    expect(exchange.answer).toBeUndefined()
  })

  it.each<[what: string, respond: (socket: Socket) => void, error: RegExp, body: string]>([
    [
      'announces a gigabyte and then stops sending',
      open(`${ok}Content-Length: 1000000000\r\n\r\nhalf`),
      /^timed out: /,
      'half',
    ],
    [
      'announces more bytes than it sends',
      bytes(`${ok}Content-Length: 100\r\n\r\nhalf`),
      /^connection lost: /,
      'half',
    ],
    [
      'resets the connection midway',
      then(`${ok}Content-Length: 100\r\n\r\nhalf`, socket => socket.resetAndDestroy()),
      /^connection lost: /,
      '',
    ],
    [
      'sends malformed chunks',
      bytes(`${ok}Transfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\nnonsense\r\n`),
      /^not an HTTP response: /,
      'half',
    ],
  ])('%s, and the bytes received are kept', async (_, respond, error, body) => {
    const exchange = await post(await listening(respond))
    expect(exchange.error).toMatch(error)
    expect(exchange.answer).toMatchObject({ status: 200, isTruncated: false })
    expect(exchange.answer?.body.toString()).toMatch(body)
  })
})

describe('a response is accepted', () => {
  it.each([
    ['in HTTP/1.0', 'HTTP/1.0 200 OK\r\n\r\nthanks'],
    [
      'after "103 Early Hints"',
      `HTTP/1.1 103 Early Hints\r\nLink: <x>\r\n\r\n${ok}Content-Length: 6\r\n\r\nthanks`,
    ],
  ])('%s', async (_, text) => {
    const { error, answer } = await post(await listening(bytes(text)))
    expect(error).toBeUndefined()
    expect(answer?.body.toString()).toBe('thanks')
  })

  it('with header names such as __proto__ and with arbitrary bytes in header values', async () => {
    const headers = [
      '__proto__: a',
      'constructor: b',
      'toString: c',
      'X-Bytes: \xe4\xff',
      'X-Twice: 1',
      'X-Twice: 2',
    ]
    const { error, answer } = await post(await listening(bytes(`${ok}${headers.join('\r\n')}\r\n\r\n`)))
    expect(error).toBeUndefined()
    expect(Object.entries(answer!.headers)).toEqual([
      ['__proto__', 'a'],
      ['constructor', 'b'],
      ['tostring', 'c'],
      ['x-bytes', 'äÿ'],
      ['x-twice', '1, 2'],
    ])
  })

  it('and stored without decompressing its body', async () => {
    const bomb = gzipSync(Buffer.alloc(20_000_000))
    const head = `${ok}Content-Encoding: gzip\r\nContent-Length: ${bomb.length}\r\n\r\n`
    const { error, answer } = await post(await listening(then(head, socket => socket.end(bomb))))
    expect(error).toBeUndefined()
    expect(answer?.body.equals(bomb.subarray(0, 64 * 1024))).toBe(true)
  })
})

it('two hundred hostile receivers at the same time use little more memory than the stored parts of their responses', async () => {
  const kinds = [
    endless('x', `${ok}\r\n`),
    endless('x', `${ok}Content-Length: 1000000000\r\n\r\n`),
    endless('8\r\nxxxxxxxx\r\n', `${ok}Transfer-Encoding: chunked\r\n\r\n`),
    endless('x', `${ok}X-More: `),
    open(ok),
  ]
  const urls = await Promise.all(kinds.map(listening))
  const used = (): number => {
    const { heapUsed, external } = process.memoryUsage()
    return heapUsed + external
  }
  const before = used()
  let most = before
  const sampling = setInterval(() => {
    most = Math.max(most, used())
  }, 10)
  const posts = Array.from({ length: 40 }, () => urls.map((url, at) => post(url, at === 4 ? 500 : 10_000)))
  const exchanges = await Promise.all(posts.flat())
  clearInterval(sampling)
  expect(exchanges.filter(({ answer }) => answer?.isTruncated)).toHaveLength(120)
  expect(most - before).toBeLessThan(64 * 1024 * 1024)
})
