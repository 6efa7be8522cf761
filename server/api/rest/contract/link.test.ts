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
  it('first page: next and last, joined by a comma without a space', async () => {
    expect(await linkOf('/user/keys?limit=3')).toBe(
      `${entry('limit=3&page=2', 'next')},${entry('limit=3&page=3', 'last')}`,
    )
  })

  it('a page in the middle: next, last, first, prev, in this order', async () => {
    expect(await linkOf('/user/keys?page=2&limit=3')).toBe(
      [
        entry('limit=3&page=3', 'next'),
        entry('limit=3&page=3', 'last'),
        entry('limit=3&page=1', 'first'),
        entry('limit=3&page=1', 'prev'),
      ].join(','),
    )
  })

  it('the last page: first and prev', async () => {
    expect(await linkOf('/user/keys?page=3&limit=3')).toBe(
      `${entry('limit=3&page=1', 'first')},${entry('limit=3&page=2', 'prev')}`,
    )
  })

  it('a page past the end: as on the last page', async () => {
    expect(await linkOf('/user/keys?page=99&limit=3')).toBe(
      `${entry('limit=3&page=1', 'first')},${entry('limit=3&page=2', 'prev')}`,
    )
  })

  it('a single page: absent', async () => {
    expect(await linkOf('/user/keys')).toBeNull()
    expect(await linkOf('/user/keys?limit=7')).toBeNull()
  })

  it('other keys of the query are kept, sorted and encoded', async () => {
    const link = await linkOf('/user/keys?z=%C3%A4+b&limit=6&a=1&a=2')
    expect(link).toBe(
      `${entry('a=1&a=2&limit=6&page=2&z=%C3%A4+b', 'next')},${entry('a=1&a=2&limit=6&page=2&z=%C3%A4+b', 'last')}`,
    )
  })

  it('the limit is kept as it was sent, even where it was clamped or not understood', async () => {
    const bob = await makePerson(site)
    for (let count = 0; count < 51; count++) await makeKey(site.db, bob.account.id)
    for (const limit of ['99', 'abc']) {
      const link = (await call(site, 'GET', `/user/keys?limit=${limit}`, { as: bob })).headers.get('link')
      expect(link).toContain(entry(`limit=${limit}&page=2`, 'next'))
    }
  })

  it.each(['token', 'access_token'])('the %s in the query stays out of it', async name => {
    const link = (await call(site, 'GET', `/user/keys?limit=6&${name}=${ada.token}`)).headers.get('link')
    expect(link).toContain(entry('limit=6&page=2', 'next'))
    expect(link).not.toContain(ada.token)
  })

  it('goes with the count in what browsers of other origins may read', async () => {
    const exposed = async (path: string) =>
      (await call(site, 'GET', path, { as: ada })).headers.get('access-control-expose-headers')
    expect(await exposed('/user/keys?limit=3')).toBe('Link, X-Total-Count')
    expect(await exposed('/user/keys')).toBe('X-Total-Count')
  })

  it('a name in the path is kept as it was asked for', async () => {
    const link = await linkOf(`/users/${ada.name}/keys?limit=6`)
    expect(link).toContain(`<${site.url}/api/v1/users/${ada.name}/keys?limit=6&page=2>; rel="next"`)
  })

  // Next answers such paths with a redirect of its own.
  it.skipIf(mount === 'next')('slashes too many do not lead elsewhere', async () => {
    for (const path of ['//api/v1/user/keys', '//api//v1//user/keys//', '/api/v1/user/keys/']) {
      const response = await fetch(`${site.url}${path}?limit=6`, {
        headers: { authorization: `token ${ada.token}` },
      })
      expect(response.headers.get('link')).toContain(entry('limit=6&page=2', 'next'))
    }
  })
})

describe('behind an address of its own', () => {
  const elsewhere = useSite({ baseUrl: 'https://forge.example.com' })

  it('the links lead to the address people know, not to the one the request came in at', async () => {
    const bob = await makePerson(elsewhere)
    for (let count = 0; count < 2; count++) await makeKey(elsewhere.db, bob.account.id)
    const { headers, body } = await call(elsewhere, 'GET', '/user/keys?limit=1', { as: bob })
    expect(headers.get('link')).toContain(
      '<https://forge.example.com/api/v1/user/keys?limit=1&page=2>; rel="next"',
    )
    expect(body[0].url).toBe(`https://forge.example.com/api/v1/user/keys/${body[0].id}`)
  })
})
