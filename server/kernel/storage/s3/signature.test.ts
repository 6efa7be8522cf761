import { createHash } from 'node:crypto'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest'
import { createLog } from '../../log'
import { newObjectKey } from '../key'
import type { S3Settings } from '../settings'
import { from } from '../testing/contract'
import { isSignedWith, type SignedRequest } from '../testing/sigv4'
import type { ObjectStorage } from '../types'
import { openBucket } from './bucket'
import { createS3Storage } from './storage'

const secret = 'a secret that only the two know'
const minuteMs = 60_000
const now = () => new Date()
const later = (minutes: number) => new Date(Date.now() + minutes * minuteMs)

let server: Server
let storage: ObjectStorage
const requests: (SignedRequest & { body: Buffer })[] = []
const lines: string[] = []
let status = 200

beforeAll(async () => {
  server = createServer(async (request, response) => {
    const { method = '', url = '', headers } = request
    requests.push({ method, url, headers, body: await buffer(request) })
    response.writeHead(status, { etag: '"x"', 'content-type': 'application/xml' })
    const refusal = '<Error><Code>AccessDenied</Code><Message>Access Denied.</Message></Error>'
    response.end(status === 200 ? '' : refusal)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const settings: S3Settings = {
    kind: 's3',
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    region: 'eu-central-1',
    bucket: 'files',
    prefix: 'forge/',
    credentials: { accessKeyId: 'the-id', secretAccessKey: secret },
  }
  const log = createLog('trace', { write: line => void lines.push(line) })
  storage = createS3Storage(openBucket(settings, log))
})
afterAll(() => {
  server.closeAllConnections()
  server.close()
})
beforeEach(() => {
  requests.length = 0
  status = 200
})

it('S3 requests are signed with the secret, including the body', async () => {
  const body = Buffer.from('bytes')
  await storage.put(newObjectKey(), from(body))
  const [request] = requests as [SignedRequest & { body: Buffer }]
  expect(request.body).toEqual(body)
  expect(request.headers['x-amz-content-sha256']).toBe(createHash('sha256').update(body).digest('hex'))
  expect(request.headers).not.toHaveProperty('x-amz-trailer')
  expect(isSignedWith(secret, request, now())).toBe(true)
  expect(isSignedWith('another', request, now())).toBe(false)
  expect(isSignedWith(secret, { ...request, method: 'DELETE' }, now())).toBe(false)
})

it('a signed S3 URL is valid for one object and one set of response headers, until it expires', async () => {
  const key = newObjectKey()
  const contentDisposition = `attachment; filename="a b.zip"; filename*=UTF-8''a%20b.zip`
  const answer = { contentType: 'application/zip', contentDisposition, expiresInSeconds: 300 }
  const url = new URL((await storage.signedUrl(key, answer)) ?? '')
  const request = (address: URL) => ({ method: 'GET', url: address.href, headers: { host: address.host } })
  expect(requests).toEqual([])
  expect(url.pathname).toBe(`/files/forge/${key}`)
  expect(url.searchParams.get('response-content-disposition')).toBe(contentDisposition)
  expect(url.searchParams.get('response-content-type')).toBe('application/zip')
  expect(url.href).not.toContain('checksum')
  expect(isSignedWith(secret, request(url), later(4))).toBe(true)
  expect(isSignedWith(secret, request(url), later(6))).toBe(false)
  for (const name of url.searchParams.keys()) {
    const changed = new URL(url)
    changed.searchParams.set(name, name === 'X-Amz-Expires' ? '9999' : 'other')
    expect(isSignedWith(secret, request(changed), now()), name).toBe(false)
  }
  const elsewhere = new URL(url)
  elsewhere.pathname = `/files/forge/${newObjectKey()}`
  expect(isSignedWith(secret, request(elsewhere), now())).toBe(false)
})

it('an error response from S3 is logged with its reason and without credentials, and reported as unavailable', async () => {
  status = 403
  const refused = storage.put(newObjectKey(), from(Buffer.from('bytes')))
  const message = 'the storage cannot be reached right now'
  await expect(refused).rejects.toMatchObject({ kind: 'unavailable', message })
  expect(lines.join('')).toContain('AccessDenied: Access Denied.')
  expect(lines.join('')).not.toMatch(/the-id|a secret/)
})

it('an error response from S3 about a full disk is reported as a full disk', async () => {
  status = 507
  const refused = storage.put(newObjectKey(), from(Buffer.from('bytes')))
  await expect(refused).rejects.toMatchObject({ kind: 'unavailable', message: 'the storage is full' })
})
