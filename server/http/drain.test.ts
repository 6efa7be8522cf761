import { once } from 'node:events'
import { Agent, createServer, get, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { drainConnections, trackQuietTimes } from './drain'

beforeEach(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'performance'] }))
afterEach(() => void vi.useRealTimers())

/** A server whose connections are drained. It answers requests to `/slow` when `finish` is called. */
async function drainedServer() {
  const waiting: ServerResponse[] = []
  const server = createServer(({ url }, response) => {
    if (url === '/slow') waiting.push(response)
    else response.end()
  })
  const connections = trackQuietTimes(server)
  await once(server.listen(0, '127.0.0.1'), 'listening')
  const { port } = server.address() as AddressInfo
  const ending = new AbortController()
  return {
    port,
    waiting,
    connections,
    ending,
    drain: () => drainConnections(server, connections, ending.signal),
  }
}

const client = () => new Agent({ keepAlive: true, maxSockets: 1 })

async function send(port: number, path: string, agent: Agent): Promise<number | undefined> {
  const [response] = await once(get({ host: '127.0.0.1', port, path, agent }), 'response')
  await response.resume().toArray()
  return response.statusCode
}

it('a client that keeps its connection can send a request until it was quiet for five seconds', async () => {
  const { port, connections, drain } = await drainedServer()
  const agent = client()
  await send(port, '/', agent)
  const drained = drain()
  await vi.advanceTimersByTimeAsync(4_800)
  expect(await send(port, '/', agent)).toBe(200)
  await vi.advanceTimersByTimeAsync(4_800)
  expect(connections.size).toBe(1)
  await vi.advanceTimersByTimeAsync(400)
  await drained
  await expect(send(port, '/', client())).rejects.toThrow('ECONNREFUSED')
})

it('a running request is waited for, unless the process has to stop', async () => {
  const { port, waiting, ending, drain } = await drainedServer()
  const first = send(port, '/slow', client())
  await vi.waitUntil(() => waiting.length === 1)
  const second = send(port, '/slow', client()).catch(() => 'cut')
  await vi.waitUntil(() => waiting.length === 2)
  let isDrained = false
  const drained = drain().then(() => {
    isDrained = true
  })
  await vi.advanceTimersByTimeAsync(600_000)
  waiting[0]?.end()
  expect(await first).toBe(200)
  await vi.advanceTimersByTimeAsync(600_000)
  expect(isDrained).toBe(false)
  ending.abort()
  await vi.advanceTimersByTimeAsync(100)
  await drained
  waiting[1]?.destroy()
  expect(await second).toBe('cut')
})
