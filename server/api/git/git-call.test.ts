import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { expect, it } from 'vitest'
import type { Child } from '@/server/kernel/launcher/child'
import { endWithClient } from './git-call'

it.each([
  ['while it works', false],
  ['before it was started', true],
])('the Git process ends if its client disconnects %s', async (_, early) => {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const client = request({ port: (server.address() as AddressInfo).port })
  client.on('error', () => undefined).end()
  const [, response] = (await once(server, 'request')) as [unknown, ServerResponse]
  const closed = once(response, 'close')
  const disconnected = new AbortController()
  response.once('close', () => disconnected.abort())
  if (early) {
    client.destroy()
    await closed
  }
  const process = spawn('sleep', ['60']) as unknown as Child
  const ended = once(process, 'exit')
  endWithClient(process, disconnected.signal)
  client.destroy()
  expect((await ended)[1]).toBe('SIGTERM')
  server.close()
})
