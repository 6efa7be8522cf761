import { describe, expect, it } from 'vitest'
import { call } from '@/testing/call'
import { makePerson } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()

describe('HEAD', () => {
  it('200: as GET, without the body', async () => {
    const ada = await makePerson(site)
    const get = await call(site, 'GET', '/user/keys', { as: ada })
    const head = await call(site, 'HEAD', '/user/keys', { as: ada })
    expect([head.status, head.text]).toEqual([200, ''])
    for (const name of ['content-type', 'x-total-count', 'cache-control']) {
      expect(head.headers.get(name)).toBe(get.headers.get(name))
    }
  })

  it('401 and 404: failures have no body either', async () => {
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

describe('a path that is not there', () => {
  it.each(['', '/nothing', '/user/nothing/here', '/users', '/admin', '/user/keys/1/more'])(
    '404: %s, in JSON and before any credentials are asked for',
    async path => {
      const answer = await call(site, 'GET', path)
      expect(answer.status).toBe(404)
      expect(answer.body).toEqual({ message: 'not found', url: `${site.url}/api/docs` })
    },
  )
})

describe('a method the path does not know', () => {
  it.each([
    ['PUT', '/user/keys', 'GET, HEAD, POST'],
    ['POST', '/user/keys/1', 'DELETE, GET, HEAD'],
    ['DELETE', '/version', 'GET, HEAD'],
    ['OPTIONS', '/user', 'GET, HEAD'],
    ['GET', '/admin/users/x', 'DELETE, PATCH'],
    ['HEAD', '/admin/users/x', 'DELETE, PATCH'],
  ])('405: %s %s, with Allow: %s', async (method, path, allowed) => {
    const answer = await call(site, method, path)
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, allowed])
    if (method === 'HEAD') return
    expect(answer.body).toEqual({ message: expect.stringContaining(method), url: `${site.url}/api/docs` })
  })
})
