import { request } from 'node:http'
import { gunzipSync, gzipSync } from 'node:zlib'
import { create, fromBinary, toBinary } from '@bufbuild/protobuf'
import { describe, expect, it } from 'vitest'
import { PingRequestSchema, PingResponseSchema } from '@/proto/gen/ping/v1/ping_pb'
import { createFakeRunner } from '@/testing/fake-runner'
import { useSite } from '@/testing/site'

const site = useSite()
const ping = '/api/actions/ping.v1.PingService/Ping'

interface Sent {
  method?: string
  headers?: Record<string, string>
  body?: BodyInit
}

const send = (path: string, { method = 'POST', headers, body }: Sent = {}): Promise<Response> =>
  fetch(`${site.url}${path}`, {
    method,
    headers: { 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body }),
  })

async function expectError(response: Response, status: number, code: string, message: RegExp): Promise<void> {
  expect(await response.json()).toEqual({ code, message: expect.stringMatching(message) })
  expect([response.status, response.headers.get('content-type')]).toEqual([status, 'application/json'])
  expect(response.headers.get('cache-control')).toBe('no-store')
}

describe('a method is called with Connect', () => {
  it.each(['binary', 'json'] as const)('in the format %s, by a stock client', async format => {
    expect(await createFakeRunner(site, { format }).ping('ada')).toBe('Hello, ada!')
  })

  it('without the protocol version, as by curl', async () => {
    const response = await send(ping, { body: '{"data":"ada","unknown":1}' })
    expect(await response.json()).toEqual({ data: 'Hello, ada!' })
    expect(response.headers.get('cache-control')).toBe('no-store')
  })

  it('with a compressed message', async () => {
    const body = gzipSync(toBinary(PingRequestSchema, create(PingRequestSchema, { data: 'ada' })))
    const headers = { 'content-type': 'application/proto', 'content-encoding': 'gzip' }
    const response = await send(ping, { headers, body })
    const answer = fromBinary(PingResponseSchema, new Uint8Array(await response.arrayBuffer()))
    expect(answer.data).toBe('Hello, ada!')
  })

  it('and a long response is compressed if the client accepts that', async () => {
    const body = JSON.stringify({ data: 'x'.repeat(2000) })
    const compressed = await rawPost(body, { 'accept-encoding': 'gzip' })
    expect([compressed.encoding, compressed.data.length]).toEqual(['gzip', 2008])
    const plain = await rawPost(body)
    expect([plain.encoding, plain.data.length]).toEqual([undefined, 2008])
  })
})

describe('a failed request gets Connect’s JSON, whatever its format', () => {
  it('for a path without a method', async () => {
    const paths = ['', '/', '/ping.v1.PingService', '/ping.v1.PingService/ping', '/ping.v1.PingService/Ping/']
    for (const path of paths)
      await expectError(await send(`/api/actions${path}`), 404, 'unimplemented', /no method/)
  })

  it('for HTTP methods other than POST', async () => {
    for (const method of ['GET', 'PUT', 'DELETE', 'PATCH', 'OPTIONS']) {
      const response = await send(ping, { method })
      expect(response.headers.get('allow')).toBe('POST')
      await expectError(response, 405, 'unimplemented', /POST/)
    }
  })

  it('for content types other than those of unary calls', async () => {
    for (const type of [
      'text/plain',
      'application/grpc',
      'application/connect+proto',
      'application/protobuf',
    ]) {
      const response = await send(ping, { headers: { 'content-type': type }, body: '' })
      await expectError(response, 415, 'invalid_argument', /application\/proto or application\/json/)
    }
  })

  it('for a message that cannot be decoded', async () => {
    for (const body of ['', '{', '[]', '{"data":1}', '{"data":"\\ud800"}'])
      await expectError(await send(ping, { body }), 400, 'invalid_argument', /./)
    const binary = { 'content-type': 'application/proto' }
    const response = await send(ping, { headers: binary, body: new Uint8Array([255]) })
    await expectError(response, 400, 'invalid_argument', /./)
  })

  it('for a message that is not compressed as its header says', async () => {
    const response = await send(ping, { headers: { 'content-encoding': 'gzip' }, body: '{}' })
    await expectError(response, 400, 'invalid_argument', /gzip/)
  })

  it('for a message of more than 64 KiB, even if it is small when compressed', async () => {
    const body = JSON.stringify({ data: 'x'.repeat(65_536) })
    await expectError(await send(ping, { body }), 429, 'resource_exhausted', /65536 bytes/)
    const headers = { 'content-encoding': 'gzip' }
    const response = await send(ping, { headers, body: gzipSync(body) })
    await expectError(response, 429, 'resource_exhausted', /65536 bytes/)
  })
})

/** Posts JSON and reads the answer as it is on the wire; `fetch` would decompress it. */
function rawPost(
  body: string,
  accepted: Record<string, string> = {},
): Promise<{ encoding: string | undefined; data: string }> {
  return new Promise((resolve, reject) => {
    const headers = { 'content-type': 'application/json', ...accepted }
    const sent = request(`${site.url}${ping}`, { method: 'POST', headers }, async response => {
      const bytes = Buffer.concat(await response.toArray())
      const encoding = response.headers['content-encoding']
      resolve({ encoding, data: JSON.parse(String(encoding ? gunzipSync(bytes) : bytes)).data })
    })
    sent.on('error', reject).end(body)
  })
}
