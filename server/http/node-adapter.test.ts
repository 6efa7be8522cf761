import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { Readable } from 'node:stream'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { expect, it, onTestFinished } from 'vitest'
import type { Answer } from '@/server/kernel/http/call'
import { answerCall } from './node-adapter'

async function serve(answer: Answer, observers = 0): Promise<string> {
  const server = createServer((request, response) => {
    for (let index = 0; index < observers; index++) response.on('close', () => undefined)
    void answerCall(request, response, async () => answer, { headers: ['X-Request-Id', '1'] })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void server.close())
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}

it.each(['GET', 'HEAD'])(
  'a text has one Content-Length header, even if the handler names its length: %s',
  async method => {
    const headers = { 'content-length': '3', 'Set-Cookie': ['a=1', 'b=2'] }
    const response = await fetch(await serve({ status: 200, headers, body: 'é!' }), { method })
    expect(response.headers.get('content-length')).toBe('3')
    expect([response.headers.get('x-request-id'), response.headers.getSetCookie()]).toEqual([
      '1',
      ['a=1', 'b=2'],
    ])
    expect(await response.text()).toBe(method === 'GET' ? 'é!' : '')
  },
)

it('a response without a body keeps the Content-Length of what GET would send', async () => {
  const address = await serve({ status: 200, headers: { 'Content-Length': '1000' } })
  const response = await fetch(address, { method: 'HEAD' })
  expect(response.headers.get('content-length')).toBe('1000')
})

it('a streamed response that four others observe causes no warning about its listeners', async () => {
  const warnings: string[] = []
  const note = ({ name }: Error) => void warnings.push(name)
  process.on('warning', note)
  onTestFinished(() => void process.off('warning', note))
  const response = await fetch(await serve({ status: 200, headers: {}, body: Readable.from(['a', 'b']) }, 4))
  expect(await response.text()).toBe('ab')
  await nextTurn()
  expect(warnings).toEqual([])
})
