import { describe, expect, it } from 'vitest'
import { call } from '@/testing/call'
import { makePerson, type Person } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()

const noEndpoint = (method: string, path: string) => ({
  message: `this server has no endpoint ${method} ${path}`,
  url: `${site.url}/api/docs`,
})

const makeHidden = async (owner: Person): Promise<{ id: number; name: string }> =>
  (await call(site, 'POST', '/user/repos', { as: owner, body: { name: 'hidden', private: true } })).body

describe('HEAD', () => {
  it('returns 200 and the headers of GET without a body', async () => {
    const ada = await makePerson(site)
    const get = await call(site, 'GET', '/user/keys', { as: ada })
    const head = await call(site, 'HEAD', '/user/keys', { as: ada })
    expect([head.status, head.text]).toEqual([200, ''])
    for (const name of ['content-type', 'x-total-count', 'cache-control']) {
      expect(head.headers.get(name)).toBe(get.headers.get(name))
    }
  })

  it('returns 401 and 404 without a body', async () => {
    const ada = await makePerson(site)
    const answers = [
      await call(site, 'HEAD', '/user'),
      await call(site, 'HEAD', '/user/keys/999999999', { as: ada }),
    ]
    expect(answers.map(({ status, text }) => [status, text])).toEqual([
      [401, ''],
      [404, ''],
    ])
  })
})

describe('a path without an endpoint', () => {
  it.each(['', '/nothing', '/user/nothing/here', '/users', '/admin', '/user/keys/1/more'])(
    'returns 404 as JSON without requiring credentials, for any method: %s',
    async path => {
      for (const method of ['GET', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']) {
        const answer = await call(site, method, path)
        expect(answer.status).toBe(404)
        expect(answer.body).toEqual(noEndpoint(method, `/api/v1${path}`))
      }
    },
  )

  it('returns the same 404 to everyone, regardless of the object it names', async () => {
    const [ada, stranger] = [await makePerson(site), await makePerson(site)]
    const { id, name } = await makeHidden(ada)
    for (const of of [`repos/${ada.name}/${name}`, `repositories/${id}`, `users/${ada.name}`, 'repos/a/b']) {
      const reported = await Promise.all(
        [undefined, stranger, ada, { token: 'f'.repeat(40) }].map(as =>
          call(site, 'GET', `/${of}/nothing/x`, { as }),
        ),
      )
      for (const { status, body } of reported) {
        expect([status, body]).toEqual([404, noEndpoint('GET', `/api/v1/${of}/nothing/x`)])
      }
    }
  })

  it('has a different message than an existing endpoint whose object is absent or hidden (404)', async () => {
    const [ada, stranger] = [await makePerson(site), await makePerson(site)]
    const { name } = await makeHidden(ada)
    for (const path of [`/repos/${ada.name}/${name}`, `/repos/${ada.name}/none/branches/x`, '/orgs/nobody']) {
      const { status, body } = await call(site, 'GET', path, { as: stranger })
      expect([status, body.message]).toEqual([404, 'not found'])
    }
  })

  it.each([
    ['GET', '/api'],
    ['GET', '/api/'],
    ['PUT', '/api/packages/acme/generic/tool/1.0/tool.tar.gz'],
    ['HEAD', '/api/packages/acme/npm/tool'],
    ['DELETE', '/api/packages/acme/cargo/api/v1/crates/tool'],
    ['POST', '/api/v2/user/repos'],
    ['GET', '/api/forgejo/v1/version'],
    ['PATCH', '/v2/acme/tool/blobs/uploads/1'],
    ['GET', '/v2/'],
  ])('returns 404 as JSON, not as a page, for %s %s', async (method, path) => {
    const response = await fetch(`${site.url}${path}`, { method, redirect: 'manual' })
    expect([response.status, response.headers.get('content-type')]).toEqual([
      404,
      'application/json;charset=utf-8',
    ])
    if (method !== 'HEAD') expect(await response.json()).toEqual(noEndpoint(method, path))
  })
})

describe('a method that the path does not support', () => {
  it.each([
    ['PUT', '/user/keys', 'GET, HEAD, POST'],
    ['POST', '/user/keys/1', 'DELETE, GET, HEAD'],
    ['DELETE', '/version', 'GET, HEAD'],
    ['OPTIONS', '/user', 'GET, HEAD'],
    ['GET', '/admin/users/x', 'DELETE, PATCH'],
    ['HEAD', '/admin/users/x', 'DELETE, PATCH'],
  ])('returns 405 for %s %s with Allow: %s', async (method, path, allowed) => {
    const answer = await call(site, method, path)
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, allowed])
    if (method === 'HEAD') return
    expect(answer.body).toEqual({ message: expect.stringContaining(method), url: `${site.url}/api/docs` })
  })
})
