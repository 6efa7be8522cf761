import { once } from 'node:events'
import { Agent, type IncomingMessage, request } from 'node:http'
import { type AddressInfo, connect } from 'node:net'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { describe, expect, it } from 'vitest'
import type { Mount } from '@/server/api/mount'
import type { Call } from '@/server/kernel/http/call'
import { useSite } from '@/testing/site'
import { createHttpServer } from './server'

const site = useSite()
const mib = 1024 * 1024
const chunk = Buffer.alloc(mib)
// More than the buffers of both operating systems hold together.
const size = 48 * mib

async function readSome(call: Call): Promise<void> {
  let received = 0
  for await (const part of call.stream().iterator({ destroyOnReturn: false })) {
    received += part.length
    if (received > mib) return
  }
}

const refusing: Mount = {
  name: 'refusing',
  match: () => true,
  pacesBody: () => true,
  createHandler: () => async call => {
    if (call.path === '/after-a-while') await readSome(call)
    return { status: 413, headers: {}, body: 'too much' }
  },
}

async function open() {
  const server = createHttpServer(site.services, (_, response) => void response.end(), { mounts: [refusing] })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return {
    port: (server.address() as AddressInfo).port,
    [Symbol.dispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}

const chunks = () => Readable.from(Array(size / mib).fill(chunk))

async function throughNode(port: number, path: string, headers: Record<string, string>): Promise<string> {
  const sent = request({ port, host: '127.0.0.1', path, method: 'POST', headers })
  void pipeline(chunks(), sent).catch(() => undefined)
  const [response] = (await once(sent, 'response')) as [IncomingMessage]
  return `${response.statusCode} ${Buffer.concat(await response.toArray())}`
}

/** Sends the whole body before it reads the response, as many clients do. */
async function throughBluntClient(port: number, path: string, head: string): Promise<string> {
  const socket = connect(port, '127.0.0.1')
  socket.pause()
  socket.write(`POST ${path} ${head}\r\nHost: a\r\nContent-Length: ${size}\r\n\r\n`)
  for (let sent = 0; sent < size; sent += mib) {
    await new Promise<void>((resolve, reject) =>
      socket.write(chunk, error => (error ? reject(error) : resolve())),
    )
  }
  socket.end()
  const answer = Buffer.concat(await socket.toArray()).toString()
  return `${answer.split(' ')[1]} ${answer.split('\r\n\r\n')[1]}`
}

describe.each(['/at-once', '/after-a-while'])('a response to a body that is still being sent, %s', path => {
  it.each<Record<string, string>>([{}, { Connection: 'close' }])(
    'reaches a node:http client that sends the headers %o',
    async headers => {
      using server = await open()
      expect(await throughNode(server.port, path, headers)).toBe('413 too much')
      const announced = { ...headers, 'Content-Length': String(size) }
      expect(await throughNode(server.port, path, announced)).toBe('413 too much')
    },
  )

  it('reaches fetch', async () => {
    using server = await open()
    const body = Readable.toWeb(chunks()) as ReadableStream
    const init = { method: 'POST', body, duplex: 'half' }
    const answer = await fetch(`http://127.0.0.1:${server.port}${path}`, init as RequestInit)
    expect([answer.status, await answer.text()]).toEqual([413, 'too much'])
  })

  it.each(['HTTP/1.1', 'HTTP/1.1\r\nConnection: close', 'HTTP/1.0'])(
    'reaches a client that reads it only after sending the whole body, with %j',
    async head => {
      using server = await open()
      expect(await throughBluntClient(server.port, path, head)).toBe('413 too much')
    },
  )
})

it('a connection that is kept alive after an early response accepts further requests', async () => {
  using server = await open()
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  const ports = new Set<number | undefined>()
  const ask = async (body: Buffer, headers = {}) => {
    const sent = request({ port: server.port, host: '127.0.0.1', method: 'POST', headers, agent }).end(body)
    const [response] = (await once(sent, 'response')) as [IncomingMessage]
    ports.add(response.socket.localPort)
    return Buffer.concat(await response.toArray()).toString()
  }
  expect(await ask(Buffer.alloc(16 * mib))).toBe('too much')
  expect(await ask(Buffer.alloc(mib))).toBe('too much')
  expect(await ask(Buffer.alloc(0), { Connection: 'close' })).toBe('too much')
  expect(ports.size).toBe(1)
  agent.destroy()
})

it('a client that keeps sending after its response is disconnected', async () => {
  using server = await open()
  const socket = connect(server.port, '127.0.0.1').resume()
  const failed = new Promise(resolve => socket.once('error', resolve))
  socket.write(`POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${1024 * size}\r\n\r\n`)
  const flood = () => {
    while (!socket.destroyed && socket.write(chunk));
  }
  socket.on('drain', flood)
  flood()
  await failed
  expect(socket.bytesWritten).toBeLessThan(1024 * size)
})
