import { once } from 'node:events'
import { readdir } from 'node:fs/promises'
import { request } from 'node:http'
import { connect } from 'node:net'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { adminEnvironment, dataDirectory, type Guildhall, start } from './guildhall'

const upgrades = { 'h2c (as sent by curl --http2)': 'h2c', WebSocket: 'websocket' }

const head = (path: string, upgrade: string): string =>
  [
    `GET ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    'Connection: Upgrade, HTTP2-Settings',
    `Upgrade: ${upgrade}`,
    'HTTP2-Settings: AAMAAABkAAQAoAAAAAIAAAAA',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    '\r\n',
  ].join('\r\n')

let directory: Awaited<ReturnType<typeof dataDirectory>>
let guildhall: Guildhall
beforeAll(async () => {
  directory = await dataDirectory()
  guildhall = await start({ GUILDHALL_DATA_DIR: directory.path, ...adminEnvironment })
  // Next handles upgrade requests only after it has rendered the first page.
  await (await fetch(`${guildhall.url}/explore`)).text()
})
afterAll(async () => {
  expect(await guildhall.end('SIGTERM')).toBe(0)
  await directory[Symbol.asyncDispose]()
})

describe.each(Object.entries(upgrades))('a request to upgrade to %s', (_, upgrade) => {
  it('gets the same response as a request without an Upgrade header', async () => {
    for (const [path, expected] of [
      ['/api/v1/version', 200],
      ['/api/v1/user', 401],
      ['/ada/site.git/info/refs?service=git-upload-pack', 401],
      ['/explore', 200],
      ['//nothing', 308],
    ] as const) {
      expect(await statusWith(guildhall.url, path, upgrade), path).toBe(expected)
    }
  })
})

// Linux lists the open files of a process in /proc. This must be the last test, because it stops the process.
it.skipIf(process.platform !== 'linux')(
  'a thousand upgrade requests from clients that disconnect leave no files open and do not delay the stop',
  async () => {
    const openFiles = async () => (await readdir(`/proc/${guildhall.pid}/fd`)).length
    const before = await openFiles()
    for (let round = 0; round < 20; round++) {
      await Promise.all(Array.from({ length: 50 }, () => abandon(guildhall.url)))
    }
    await expect.poll(openFiles, { timeout: 30_000, interval: 250 }).toBeLessThan(before + 50)
    const stopped = performance.now()
    expect(await guildhall.end('SIGTERM')).toBe(0)
    expect(performance.now() - stopped).toBeLessThan(25_000)
  },
)

async function statusWith(url: string, path: string, upgrade: string): Promise<number | undefined> {
  const sent = request(url, {
    path,
    headers: {
      Connection: 'Upgrade, HTTP2-Settings',
      Upgrade: upgrade,
      'HTTP2-Settings': 'AAMAAABkAAQAoAAAAAIAAAAA',
    },
    timeout: 20_000,
  })
  sent.once('timeout', () => sent.destroy(new Error(`no answer to ${path}`))).end()
  const [response] = await once(sent, 'response')
  response.resume()
  return response.statusCode
}

async function abandon(url: string): Promise<void> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1').on('error', () => undefined)
  await once(socket, 'connect')
  await new Promise<void>(resolve => socket.write(head('//nothing', 'websocket'), () => resolve()))
  socket.end()
  setTimeout(() => socket.destroy(), 100)
  await once(socket, 'close')
}
