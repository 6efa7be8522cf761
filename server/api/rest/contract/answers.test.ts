import { describe, expect, it } from 'vitest'
import { makeKey } from '@/db/testing/factories'
import { call } from '@/testing/call'
import { makePerson } from '@/testing/people'
import { mount, useSite } from '@/testing/site'

const site = useSite()

async function everyKindOfAnswer() {
  const ada = await makePerson(site)
  const key = await makeKey(site.db, ada.account.id)
  return [
    await call(site, 'GET', '/user', { as: ada }),
    await call(site, 'GET', '/user/keys', { as: ada }),
    await call(site, 'GET', '/version'),
    await call(site, 'POST', '/user/keys', { as: ada, body: {} }),
    await call(site, 'GET', '/user'),
    await call(site, 'GET', '/nothing'),
    await call(site, 'PUT', '/user', { as: ada }),
    await call(site, 'DELETE', `/user/keys/${key.id}`, { as: ada }),
  ]
}

describe('every response', () => {
  it('can be cached only privately and unmodified, and forbids content type sniffing', async () => {
    for (const { headers } of await everyKindOfAnswer()) {
      expect(headers.get('cache-control')).toBe('max-age=0, private, must-revalidate, no-transform')
      expect(headers.get('x-content-type-options')).toBe('nosniff')
      expect(headers.get('x-frame-options')).toBe('SAMEORIGIN')
    }
  })

  it('has exactly the JSON content type that clients compare, or none if it is empty', async () => {
    for (const { status, headers } of await everyKindOfAnswer()) {
      expect(headers.get('content-type')).toBe(status === 204 ? null : 'application/json;charset=utf-8')
    }
  })

  it.skipIf(mount === 'next')('has its own request ID', async () => {
    const ids = (await everyKindOfAnswer()).map(({ headers }) => headers.get('x-request-id'))
    for (const id of ids) expect(id).toMatch(/^[0-9a-f-]{36}$/)
    expect(new Set(ids).size).toBe(ids.length)
  })

  it('sets no cookie and names no server software', async () => {
    for (const { headers } of await everyKindOfAnswer()) {
      for (const name of ['set-cookie', 'x-powered-by', 'server']) expect(headers.get(name)).toBeNull()
    }
  })

  it('ignores the Accept header', async () => {
    const answer = await call(site, 'GET', '/version', { headers: { accept: 'text/html' } })
    expect([answer.status, answer.headers.get('content-type')]).toEqual([
      200,
      'application/json;charset=utf-8',
    ])
  })

  it('grants no access to other origins', async () => {
    const headers = { origin: 'https://elsewhere.example', 'access-control-request-method': 'GET' }
    for (const method of ['GET', 'OPTIONS']) {
      const answer = await call(site, method, '/version', { headers })
      expect(answer.headers.get('access-control-allow-origin')).toBeNull()
    }
  })
})

it('an error contains exactly a message and the URL of the documentation', async () => {
  for (const { status, body } of await everyKindOfAnswer()) {
    if (status < 400) continue
    expect(body).toEqual({ message: expect.stringMatching(/./), url: `${site.url}/api/docs` })
  }
})

it('times are in UTC with seconds, and IDs are numbers', async () => {
  const { body } = await call(site, 'GET', '/user', { as: await makePerson(site) })
  expect(body.created).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/)
  expect(body.id).toBeTypeOf('number')
})
