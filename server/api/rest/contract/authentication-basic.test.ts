import { describe, expect, it } from 'vitest'
import { call } from '@/testing/call'
import { makeLoginSource, makePerson, makeToken, type Person } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()

const asBasic = (name: string, password: string, path = '/user') =>
  call(site, 'GET', path, { as: { basic: [name, password] } })

describe('Authorization: Basic with a password', () => {
  it.each<[string, (ada: Person) => string]>([
    ['the name', ada => ada.name],
    ['the name in any case', ada => ada.name.toUpperCase()],
    ['the email address', ada => ada.account.email],
    ['the email address in any case', ada => ada.account.email.toUpperCase()],
  ])('returns 200 with %s', async (_, login) => {
    const ada = await makePerson(site)
    const answer = await asBasic(login(ada), ada.password)
    expect([answer.status, answer.body.login]).toEqual([200, ada.name])
  })

  it('returns 200 regardless of the case of the scheme', async () => {
    const ada = await makePerson(site)
    const encoded = Buffer.from(`${ada.name}:${ada.password}`).toString('base64')
    expect(
      (await call(site, 'GET', '/user', { headers: { authorization: `bAsIc ${encoded}` } })).status,
    ).toBe(200)
  })

  it('returns 200 regardless of scopes, which do not apply to passwords', async () => {
    const root = await makePerson(site, { is_admin: true })
    expect((await asBasic(root.name, root.password, '/admin/users')).status).toBe(200)
  })

  it.each<[string, (ada: Person) => [string, string]]>([
    ['a wrong password', ada => [ada.name, 'wrong']],
    ['the password in another case', ada => [ada.name, ada.password.toUpperCase()]],
    ['a password with extra characters', ada => [ada.name, `${ada.password}x`]],
    ['an empty password', ada => [ada.name, '']],
    ['an unknown name', ada => ['nobody-here', ada.password]],
    ['an empty name', ada => ['', ada.password]],
    ['a NUL in the name', ada => [`${ada.name}\0`, ada.password]],
    ['a NUL in the password', ada => [ada.name, `${ada.password}\0`]],
    ['a very long password', ada => [ada.name, 'x'.repeat(8000)]],
  ])('returns 401 for %s', async (_, credentials) => {
    const answer = await asBasic(...credentials(await makePerson(site)))
    expect([answer.status, answer.body.message]).toEqual([401, 'invalid username, password or token'])
  })

  it('returns 401 for an account without a local password', async () => {
    const login_source_id = await makeLoginSource(site)
    const ada = await makePerson(site, { password_hash: null, login_type: 'ldap', login_source_id })
    expect((await asBasic(ada.name, ada.password)).status).toBe(401)
  })

  it.each(['', '%%%', 'bm9jb2xvbg==', '/w=='])(
    'returns 401 for "%s", which is not a name and password in Base64',
    async value => {
      const authorization = `Basic ${value}`
      expect((await call(site, 'GET', '/version', { headers: { authorization } })).status).toBe(401)
    },
  )
})

describe('Authorization: Basic with a token', () => {
  it.each<[string, (token: string) => [string, string]]>([
    ['as the password, with any name', token => ['whoever', token]],
    ['as the password, without a name', token => ['', token]],
    ['as the name, without a password', token => [token, '']],
    ['as the name, with x-oauth-basic', token => [token, 'x-oauth-basic']],
  ])('returns 200 %s', async (_, credentials) => {
    const ada = await makePerson(site)
    const answer = await asBasic(...credentials(ada.token))
    expect([answer.status, answer.body.login]).toEqual([200, ada.name])
  })

  it('returns 403 if the token lacks the required scope', async () => {
    const ada = await makePerson(site)
    const token = await makeToken(site, ada.account.id, ['read:repository'])
    expect((await asBasic(ada.name, token)).status).toBe(403)
  })

  it('returns 401 for a token as the name with any other password', async () => {
    const ada = await makePerson(site)
    expect((await asBasic(ada.token, 'x')).status).toBe(401)
  })
})
