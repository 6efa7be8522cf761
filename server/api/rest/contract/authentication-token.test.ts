import { describe, expect, it } from 'vitest'
import { call } from '@/testing/call'
import { makePerson, makeToken, type Person } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()

const withHeader = (authorization: string, path = '/user') =>
  call(site, 'GET', path, { headers: { authorization } })
const refusal = { message: 'invalid username, password or token' }

describe('the Authorization header with a token', () => {
  it.each(['token', 'Token', 'TOKEN', 'Bearer', 'bearer', 'BEARER'])(
    'returns 200 with the scheme spelled %s',
    async scheme => {
      const ada = await makePerson(site)
      const answer = await withHeader(`${scheme} ${ada.token}`)
      expect([answer.status, answer.body.login]).toEqual([200, ada.name])
    },
  )

  it('returns 200 with several spaces between the scheme and the token', async () => {
    const ada = await makePerson(site)
    expect((await withHeader(`token   ${ada.token}`)).status).toBe(200)
  })

  it.each<[string, (ada: Person) => string]>([
    ['an unknown token', () => `token ${'0'.repeat(40)}`],
    ['a token that is not hexadecimal', () => `token ${'z'.repeat(40)}`],
    ['a token in upper case', ada => `token ${ada.token.toUpperCase()}`],
    ['a truncated token', ada => `token ${ada.token.slice(1)}`],
    ['three fields', ada => `token ${ada.token} more`],
    ['a scheme without a token', () => 'token'],
    ['a password in place of the token', ada => `Bearer ${ada.password.replaceAll(' ', '')}`],
  ])('returns 401 for %s', async (_, header) => {
    const answer = await withHeader(header(await makePerson(site)))
    expect(answer.status).toBe(401)
    expect(answer.body).toMatchObject(refusal)
  })

  it('returns 401 for invalid credentials, even on endpoints that need none', async () => {
    const answer = await withHeader(`token ${'0'.repeat(40)}`, '/version')
    expect([answer.status, answer.body]).toEqual([401, expect.objectContaining(refusal)])
  })

  it('is ignored if its scheme is unknown, which returns 401 only where credentials are required', async () => {
    expect((await withHeader('Digest username="x"')).body.message).toBe('token is required')
    expect((await withHeader('Digest username="x"', '/version')).status).toBe(200)
  })

  it('cannot be replaced by a browser’s session cookie, which returns 401', async () => {
    const ada = await makePerson(site)
    const headers = { cookie: `guildhall_session=${ada.token}; __Host-guildhall_session=${ada.token}` }
    expect((await call(site, 'GET', '/user', { headers })).status).toBe(401)
  })

  it('is not requested by WWW-Authenticate, so that browsers do not ask for a password', async () => {
    const { headers } = await call(site, 'GET', '/user')
    expect(headers.get('www-authenticate')).toBeNull()
  })
})

describe('a token in the query string', () => {
  it.each(['token', 'access_token'])('returns 200 as ?%s=, with a deprecation warning', async name => {
    const ada = await makePerson(site)
    const answer = await call(site, 'GET', `/user?${name}=${ada.token}`)
    expect([answer.status, answer.body.login]).toEqual([200, ada.name])
    expect(answer.headers.get('x-gitea-warning')).toMatch(/deprecated/)
  })

  it('returns 200 in requests with a body', async () => {
    const ada = await makePerson(site)
    const answer = await call(site, 'PATCH', `/user/settings?token=${ada.token}`, {
      body: { location: 'London' },
    })
    expect([answer.status, answer.body.location]).toEqual([200, 'London'])
  })

  it('yields to a token in the header, which causes no warning', async () => {
    const [ada, bob] = [await makePerson(site), await makePerson(site)]
    const plain = await call(site, 'GET', '/user', { as: ada })
    expect(plain.headers.get('x-gitea-warning')).toBeNull()
    expect((await call(site, 'GET', `/user?token=${bob.token}`, { as: ada })).body.login).toBe(ada.name)
  })

  it('returns 401 if it is unknown, even on endpoints that need no credentials', async () => {
    expect((await call(site, 'GET', `/version?token=${'0'.repeat(40)}`)).status).toBe(401)
  })
})

it('a token shows when it was last used, accurate to the minute', async () => {
  const ada = await makePerson(site)
  await makeToken(site, ada.account.id, ['read:user'])
  await call(site, 'GET', '/user', { as: ada })
  const { body } = await call(site, 'GET', `/users/${ada.name}/tokens`, {
    as: { basic: [ada.name, ada.password] },
  })
  const [unused, used] = body
  expect(unused.last_used_at).toBe('0001-01-01T00:00:00Z')
  expect(Date.now() - Date.parse(used.last_used_at)).toBeLessThan(60_000)
})
