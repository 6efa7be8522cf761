import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { useSite } from '@/testing/site'
import { createHttpServer } from './server'

const site = useSite()
const server = createServer()
let url = ''
beforeAll(async () => {
  const front = createHttpServer({ ...site.services, outdated: true }, (_, response) => void response.end())
  server.on('request', (...args) => front.emit('request', ...args))
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
})
afterAll(() => void server.close().closeAllConnections())

const sentence = 'a newer version of this site is taking over; try again in a moment'
const json = (body: object) => JSON.stringify(body)
const ways: [method: string, path: string, type: string, body: string, own?: [string, string]][] = [
  ['POST', '/api/v1/user/keys', 'application/json;charset=utf-8', json({ message: sentence, url: 'API' })],
  [
    'POST',
    '/api/actions/runner.v1.RunnerService/FetchTask',
    'application/json',
    json({ code: 'unavailable', message: sentence }),
  ],
  [
    'POST',
    '/twirp/github.actions.results.api.v1.ArtifactService/CreateArtifact',
    'application/json',
    json({ code: 'unavailable', msg: sentence }),
  ],
  [
    'PUT',
    '/-/artifacts/upload/1-2-3?comp=block',
    'application/xml',
    `<?xml version="1.0" encoding="utf-8"?><Error><Code>ServerBusy</Code><Message>${sentence}</Message></Error>`,
    ['x-ms-error-code', 'ServerBusy'],
  ],
  [
    'PATCH',
    '/api/uploads/00112233445566778899aabbccddeeff',
    'application/json;charset=utf-8',
    json({ message: sentence, url: 'API' }),
    ['tus-resumable', '1.0.0'],
  ],
  [
    'POST',
    '/-/forms/sign-in',
    'text/plain; charset=utf-8',
    `${sentence}\nGo back, reload the page, and try again.\n`,
  ],
]

it.each(ways)(
  'an outdated process refuses %s %s with an error in the format that its clients expect',
  async (...way) => {
    const [method, path, type, body, own] = way
    const answer = await fetch(url + path, { method })
    expect([answer.status, answer.headers.get('retry-after')]).toEqual([503, '5'])
    expect(answer.headers.get('content-type')).toBe(type)
    expect((await answer.text()).replace(`${site.url}/api/docs`, 'API')).toBe(body)
    if (own) expect(answer.headers.get(own[0])).toBe(own[1])
  },
)

it('an outdated process still responds that Git LFS is not supported', async () => {
  const answer = await fetch(`${url}/acme/site.git/info/lfs/objects/batch`, { method: 'POST' })
  expect(answer.status).toBe(404)
  expect(answer.headers.get('content-type')).toBe('application/vnd.git-lfs+json')
})
