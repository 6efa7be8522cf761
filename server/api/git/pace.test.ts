import { once } from 'node:events'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { afterEach, expect, it, vi } from 'vitest'
import { atPace, bodyAt, readAhead, startGraceTimer } from './pace'

const servers: ReturnType<typeof createServer>[] = []
afterEach(() => {
  for (const server of servers.splice(0)) {
    server.closeAllConnections()
    server.close()
  }
})

/** A request that is being sent, and how it arrives. */
async function exchange() {
  const server = createServer()
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const sent = request({ port, host: '127.0.0.1', method: 'POST' })
  sent.on('error', () => undefined)
  sent.write('a')
  const [incoming] = (await once(server, 'request')) as [IncomingMessage, ServerResponse]
  return { sent, incoming }
}

const text = async (body: AsyncIterable<Buffer>) => {
  let all = ''
  for await (const chunk of body) all += chunk
  return all
}

it('a body that arrives byte by byte is refused after the grace period', async () => {
  const { sent, incoming } = await exchange()
  const dripping = setInterval(() => sent.write('b'), 10)
  await expect(text(bodyAt({ graceMs: 100, bytesPerSecond: 4096 }, incoming))).rejects.toMatchObject({
    status: 408,
  })
  clearInterval(dripping)
})

it('a body that is fast enough for one pace is refused if a faster pace is required', async () => {
  const { sent, incoming } = await exchange()
  const dripping = setInterval(() => sent.write('b'), 10)
  const body = bodyAt({ graceMs: 60_000, bytesPerSecond: 1 }, incoming)
  await expect(text(atPace({ graceMs: 100, bytesPerSecond: 4096 }, body))).rejects.toMatchObject({
    status: 408,
  })
  clearInterval(dripping)
})

it('a body at the minimum pace can take any time, and time spent processing it does not count', async () => {
  const { sent, incoming } = await exchange()
  const chunks = 20
  const sending = (async () => {
    for (let count = 0; count < chunks; count++) {
      await delay(60)
      sent.write('c'.repeat(1024))
    }
    sent.end()
  })()
  let size = 0
  for await (const chunk of bodyAt({ graceMs: 1000, bytesPerSecond: 1024 }, incoming)) {
    if (size === 0) await delay(1100)
    size += chunk.length
  }
  await sending
  expect(size).toBe(1 + chunks * 1024)
})

it('readAhead reads all of a short body and the beginning of a long one, and loses nothing', async () => {
  const pace = { graceMs: 20_000, bytesPerSecond: 1 }
  const short = await exchange()
  const reading = readAhead(bodyAt(pace, short.incoming), 100)
  short.sent.end('b'.repeat(10))
  expect(await text(await reading)).toBe(`a${'b'.repeat(10)}`)
  const long = await exchange()
  long.sent.write('b'.repeat(100))
  const begun = await readAhead(bodyAt(pace, long.incoming), 100)
  long.sent.end('c'.repeat(1000))
  expect(await text(begun)).toBe(`a${'b'.repeat(100)}${'c'.repeat(1000)}`)
})

it('a client that disconnects while its body is awaited is an error immediately', async () => {
  const { sent, incoming } = await exchange()
  const reading = readAhead(bodyAt({ graceMs: 60_000, bytesPerSecond: 1 }, incoming), 100)
  const failed = expect(reading).rejects.toThrow()
  sent.destroy()
  await failed
})

it('a grace period leaves no timer behind once the body is complete', async () => {
  vi.useFakeTimers()
  try {
    const grace = startGraceTimer({ graceMs: 120_000, bytesPerSecond: 1 })
    await grace.waitFor(Promise.resolve())
    await vi.advanceTimersByTimeAsync(1000)
    expect(vi.getTimerCount()).toBe(0)
    const refused = expect(grace.waitFor(new Promise(() => undefined))).rejects.toMatchObject({ status: 408 })
    await vi.advanceTimersByTimeAsync(121_000)
    await refused
  } finally {
    vi.useRealTimers()
  }
})
