import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { afterEach, expect, it } from 'vitest'
import { answerCall } from '@/server/http/node-adapter'
import { openReply } from './reply'
import { streamOutput } from './stream-output'

const pace = { graceMs: 60_000, bytesPerSecond: 1 }

const servers: ReturnType<typeof createServer>[] = []
afterEach(() => {
  for (const server of servers.splice(0)) server.close()
})

/** A request under way: the reply to it, and what the client gets. */
async function exchange() {
  const server = createServer()
  servers.push(server)
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const asked = fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  const [request, response] = (await once(server, 'request')) as [IncomingMessage, ServerResponse]
  const reply = openReply(undefined, () => ({ status: 500, headers: {} }))
  void answerCall(request, response, () => reply.answer)
  return { reply, response, asked }
}

it('streamOutput holds back the last bytes until they can be sent, whatever the chunks', async () => {
  for (const pieces of [['report0000'], ['rep', 'ort', '0', '00', '0'], ['report', '0000']]) {
    const { reply, asked } = await exchange()
    const output = Readable.from(pieces.map(piece => Buffer.from(piece)))
    const answer = await streamOutput(output, reply, { 'Content-Type': 'text/plain' }, { pace, heldBytes: 4 })
    const reader = (await asked).body?.getReader()
    let got = ''
    const read = async () => Buffer.from((await reader?.read())?.value ?? '').toString()
    while (got.length < 6) got += await read()
    expect(got).toBe('report')
    answer.finish()
    expect(await read()).toBe('0000')
    expect((await reader?.read())?.done).toBe(true)
  }
})

it('streamOutput sends nothing before Git writes something', async () => {
  const { reply, response, asked } = await exchange()
  const answer = await streamOutput(Readable.from([]), reply, {}, { pace })
  expect(answer.begun).toBe(false)
  expect(response.headersSent).toBe(false)
  answer.finish()
  expect(await (await asked).text()).toBe('')
})

it('streamOutput disconnects a client that does not read', async () => {
  const { reply, response, asked } = await exchange()
  const output = Readable.from(Array.from({ length: 1000 }, () => Buffer.alloc(64 * 1024)))
  const slow = { graceMs: 50, bytesPerSecond: 1024 * 1024 * 1024 }
  await streamOutput(output, reply, {}, { pace: slow })
  await expect.poll(() => response.destroyed).toBe(true)
  await expect((await asked).arrayBuffer()).rejects.toThrow()
})
