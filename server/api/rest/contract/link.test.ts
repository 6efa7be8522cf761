import { beforeAll, describe, expect, it } from 'vitest'
import { makeKey } from '@/db/testing/factories'
import { call } from '@/testing/call'
import { makePerson, type Person } from '@/testing/people'
import { mount, useSite } from '@/testing/site'

const site = useSite()
let ada: Person

beforeAll(async () => {
  ada = await makePerson(site)
  for (let count = 0; count < 7; count++) await makeKey(site.db, ada.account.id)
})

const linkOf = async (path: string): Promise<string | null> =>
  (await call(site, 'GET', path, { as: ada })).headers.get('link')

const entry = (query: string, rel: string) => `<${site.url}/api/v1/user/keys?${query}>; rel="${rel}"`

describe('the Link header', () => {
  it('has next and last on the first page, joined by a comma without a space', async () => {
    expect(await linkOf('/user/keys?limit=3')).toBe(
      `${entry('limit=3&page=2', 'next')},${entry('limit=3&page=3', 'last')}`,
    )
  })

  it('has next, last, first, and prev on a middle page, in this order', async () => {
    expect(await linkOf('/user/keys?page=2&limit=3')).toBe(
      [
        entry('limit=3&page=3', 'next'),
        entry('limit=3&page=3', 'last'),
        entry('limit=3&page=1', 'first'),
        entry('limit=3&page=1', 'prev'),
      ].join(','),
    )
  })

  it('has first and prev on the last page', async () => {
    expect(await linkOf('/user/keys?page=3&limit=3')).toBe(
      `${entry('limit=3&page=1', 'first')},${entry('limit=3&page=2', 'prev')}`,
    )
  })

  it('is the same for a page past the end as for the last page', async () => {
    expect(await linkOf('/user/keys?page=99&limit=3')).toBe(
      `${entry('limit=3&page=1', 'first')},${entry('limit=3&page=2', 'prev')}`,
    )
  })

  it('is absent for a single page', async () => {
    expect(await linkOf('/user/keys')).toBeNull()
    expect(await linkOf('/user/keys?limit=7')).toBeNull()
  })

  it('keeps other query parameters, sorted and encoded', async () => {
    const link = await linkOf('/user/keys?z=%C3%A4+b&limit=6&a=1&a=2')
    expect(link).toBe(
      `${entry('a=1&a=2&limit=6&page=2&z=%C3%A4+b', 'next')},${entry('a=1&a=2&limit=6&page=2&z=%C3%A4+b', 'last')}`,
    )
  })

  it('keeps the limit as sent, even if it was clamped or ignored', async () => {
    const bob = await makePerson(site)
    for (let count = 0; count < 51; count++) await makeKey(site.db, bob.account.id)
    for (const limit of ['99', 'abc']) {
      const link = (await call(site, 'GET', `/user/keys?limit=${limit}`, { as: bob })).headers.get('link')
      expect(link).toContain(entry(`limit=${limit}&page=2`, 'next'))
    }
  })

  it.each(['token', 'access_token'])('omits the %s in the query', async name => {
    const link = (await call(site, 'GET', `/user/keys?limit=6&${name}=${ada.token}`)).headers.get('link')
    expect(link).toContain(entry('limit=6&page=2', 'next'))
    expect(link).not.toContain(ada.token)
  })

  it('is exposed to browsers of other origins, together with the count', async () => {
    const exposed = async (path: string) =>
      (await call(site, 'GET', path, { as: ada })).headers.get('access-control-expose-headers')
    expect(await exposed('/user/keys?limit=3')).toBe('Link, X-Total-Count')
    expect(await exposed('/user/keys')).toBe('X-Total-Count')
  })

  it('keeps a name in the path as requested', async () => {
    const link = await linkOf(`/users/${ada.name}/keys?limit=6`)
    expect(link).toContain(`<${site.url}/api/v1/users/${ada.name}/keys?limit=6&page=2>; rel="next"`)
  })

  // Next redirects such paths itself.
  it.skipIf(mount === 'next')('is the same with repeated slashes in the path', async () => {
    for (const path of ['//api/v1/user/keys', '//api//v1//user/keys//', '/api/v1/user/keys/']) {
      const response = await fetch(`${site.url}${path}?limit=6`, {
        headers: { authorization: `token ${ada.token}` },
      })
      expect(response.headers.get('link')).toContain(entry('limit=6&page=2', 'next'))
    }
  })
})

describe('a configured base URL', () => {
  const elsewhere = useSite({ baseUrl: 'https://forge.example.com' })

  it('is used in links in place of the address that received the request', async () => {
    const bob = await makePerson(elsewhere)
    for (let count = 0; count < 2; count++) await makeKey(elsewhere.db, bob.account.id)
    const { headers, body } = await call(elsewhere, 'GET', '/user/keys?limit=1', { as: bob })
    expect(headers.get('link')).toContain(
      '<https://forge.example.com/api/v1/user/keys?limit=1&page=2>; rel="next"',
    )
    expect(body[0].url).toBe(`https://forge.example.com/api/v1/user/keys/${body[0].id}`)
  })
})
