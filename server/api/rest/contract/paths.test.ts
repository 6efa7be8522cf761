import { describe, expect, it } from 'vitest'
import { makeKey } from '@/db/testing/factories'
import { call } from '../../testing/call'
import { makePerson } from '../../testing/people'
import { rawHead, sendRaw } from '../../testing/raw'
import { mount, useSite } from '../../testing/site'

const site = useSite()

// Next answers such paths with a redirect of its own before any handler sees them.
describe.skipIf(mount === 'next')('slashes too many', () => {
  it.each(['/user/', '/user//', '//user', '/user/keys/', '//user///keys//'])('200: %s', async path => {
    const ada = await makePerson(site)
    expect((await call(site, 'GET', path, { as: ada })).status).toBe(200)
  })

  it('200: before the prefix as well', async () => {
    for (const path of ['//api/v1/version', '/api//v1/version', '//api//v1//version/']) {
      expect((await fetch(`${site.url}${path}`)).status).toBe(200)
    }
  })
})

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
  it.each(['', '/', '/nothing', '/user/nothing/here', '/users', '/admin', '/user/keys/1/more'])(
    '404: %s, in JSON and before any credentials are asked for',
    async path => {
      const answer = await call(site, 'GET', path)
      expect(answer.status).toBe(404)
      expect(answer.body).toEqual({ message: 'not found', url: `${site.url}/api/docs` })
    },
  )
})

// A web server's own parser would have resolved these before any handler sees them.
describe.skipIf(mount === 'next')('a path that browsers would rewrite', () => {
  it.each([
    '/user/keys/..',
    '/user/keys/%2e%2E',
    '/user/keys/.',
    '/users/../keys',
    '/users/%2e%2e/keys',
    '/users/a\\b',
    '/users/x/tokens/..',
    '/user/keys/1#x',
    '/../../user',
  ])('404: %s leads nowhere else', async path => {
    const ada = await makePerson(site)
    const answer = await sendRaw(
      site,
      rawHead('GET', `/api/v1${path}`, { Authorization: `token ${ada.token}` }),
    )
    expect(answer.status).toBe(404)
    expect(answer.text).toContain('"message":"not found"')
  })
})

describe('a method the path does not know', () => {
  it.each([
    ['PUT', '/user/keys', 'GET, HEAD, POST'],
    ['POST', '/user/keys/1', 'DELETE, GET, HEAD'],
    ['DELETE', '/version', 'GET, HEAD'],
    ['OPTIONS', '/user', 'GET, HEAD'],
    ['GET', '/admin/users/x', 'DELETE, PATCH'],
    ['HEAD', '/admin/users/x', 'DELETE, PATCH'],
    ['PROPFIND', '/user', 'GET, HEAD'],
  ])('405: %s %s, with Allow: %s', async (method, path, allowed) => {
    const answer = await call(site, method, path)
    expect([answer.status, answer.headers.get('allow')]).toEqual([405, allowed])
    if (method === 'HEAD') return
    expect(answer.body).toEqual({ message: expect.stringContaining(method), url: `${site.url}/api/docs` })
  })

  it('TRACE does not send back what it was sent', async () => {
    const answer = await sendRaw(site, rawHead('TRACE', '/api/v1/user', { Secret: 'do-not-echo' }))
    expect(answer.status).toBeGreaterThanOrEqual(400)
    expect(answer.status).toBeLessThan(500)
    expect(answer.text).not.toContain('do-not-echo')
  })
})

describe('an id that cannot be one', () => {
  it.each([
    'abc',
    '0',
    '-1',
    '+1',
    '1.0',
    '1e3',
    '0x1',
    '1,2',
    '9007199254740993',
    '99999999999999999999',
    '%00',
    '%ff',
    '%',
    '%zz',
    '1%2F2',
    '%0a1',
    '1%20',
    'null',
    '１',
    "1'--",
    '9'.repeat(4000),
  ])('404: %s', async id => {
    const ada = await makePerson(site)
    for (const method of ['GET', 'DELETE']) {
      const answer = await call(site, method, `/user/keys/${id}`, { as: ada })
      expect(answer.status).toBe(404)
      expect(answer.body).toEqual({ message: 'not found', url: `${site.url}/api/docs` })
    }
  })

  it('200: zeros before it do not matter', async () => {
    const ada = await makePerson(site)
    const key = await makeKey(site.db, ada.account.id)
    expect((await call(site, 'GET', `/user/keys/00${key.id}`, { as: ada })).body.id).toBe(key.id)
  })
})

describe('a name that cannot be one', () => {
  it.each([
    '%00',
    '%ff',
    '%',
    '%0a',
    '%2F',
    'a%2Fb',
    '%ed%a0%80',
    "'%20or%201=1--",
    '%25',
    '🦊',
    'x'.repeat(4000),
  ])('404: %s', async name => {
    const ada = await makePerson(site)
    for (const path of [`/users/${name}`, `/users/${name}/keys`, `/user/blocks/${name}`]) {
      const answer = await call(site, 'GET', path, { as: ada })
      expect(answer.status).toBe(404)
      expect(answer.body).toEqual({ message: expect.any(String), url: `${site.url}/api/docs` })
    }
  })

  it('200: a name may be percent-encoded and in any case', async () => {
    const ada = await makePerson(site, { name: 'Ada.Lovelace-1815_x' })
    for (const name of ['ADA.LOVELACE-1815_X', '%61da%2elovelace%2D1815_x']) {
      expect((await call(site, 'GET', `/users/${name}`, { as: ada })).body.login).toBe('Ada.Lovelace-1815_x')
    }
  })
})
