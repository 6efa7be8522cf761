import { describe, expect, it } from 'vitest'
import { call } from '@/testing/call'
import { makeLoginSource, makePerson, type Person } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()
const makeAdmin = () => makePerson(site, { is_admin: true })

const see = async (name: string, as?: Person) => {
  const answer = await call(site, 'GET', `/users/${name}`, { as })
  return [answer.status, answer.body]
}

const noReply = ({ account }: Person) => `${account.id}+${account.name.toLowerCase()}@noreply.127.0.0.1`

describe('GET /user', () => {
  it('200: shows the caller everything about themselves, every field present', async () => {
    const login_source_id = await makeLoginSource(site)
    const ada = await makePerson(site, {
      is_admin: true,
      is_restricted: true,
      hide_email: true,
      visibility: 'private',
      full_name: 'Ada Lovelace',
      location: 'London',
      website: 'https://ada.example',
      description: 'engines',
      language: 'en-GB',
      login_type: 'ldap',
      login_source_id,
      login_name: 'uid=ada',
      created_at: new Date('2026-01-02T03:04:05Z'),
      last_login_at: new Date('2026-02-03T04:05:06Z'),
    })
    const answer = await call(site, 'GET', '/user', { as: ada })
    expect(answer.body).toEqual({
      id: ada.account.id,
      login: ada.name,
      username: ada.name,
      full_name: 'Ada Lovelace',
      email: ada.account.email,
      avatar_url: expect.stringContaining(site.url),
      html_url: `${site.url}/${ada.name}`,
      created: '2026-01-02T03:04:05Z',
      restricted: true,
      location: 'London',
      website: 'https://ada.example',
      description: 'engines',
      visibility: 'private',
      followers_count: 0,
      following_count: 0,
      starred_repos_count: 0,
      login_name: 'uid=ada',
      source_id: login_source_id,
      language: 'en-GB',
      is_admin: true,
      last_login: '2026-02-03T04:05:06Z',
      active: true,
      prohibit_login: false,
    })
  })

  it('401: nobody without credentials', async () => {
    expect((await call(site, 'GET', '/user')).status).toBe(401)
  })
})

describe('GET /users/{username}', () => {
  it('200: strangers, signed in or not, see blanks in place of what is private', async () => {
    const login_source_id = await makeLoginSource(site)
    const bob = await makePerson(site, {
      is_admin: true,
      language: 'de',
      login_type: 'ldap',
      login_source_id,
      login_name: 'uid=bob',
      last_login_at: new Date(),
    })
    for (const viewer of [undefined, await makePerson(site)]) {
      const [status, body] = await see(bob.name, viewer)
      expect(status).toBe(200)
      expect(body).toMatchObject({
        login: bob.name,
        login_name: '',
        source_id: 0,
        language: '',
        is_admin: false,
        last_login: '0001-01-01T00:00:00Z',
        active: false,
        prohibit_login: false,
      })
    }
  })

  it('200: the real e-mail address is for signed-in people, others get one that reaches nobody', async () => {
    const bob = await makePerson(site, { name: 'Bob-Mixed' })
    expect((await see(bob.name, await makePerson(site)))[1].email).toBe(bob.account.email)
    expect((await see(bob.name))[1].email).toBe(noReply(bob))
  })

  it('200: a hidden e-mail address is for its owner and administrators', async () => {
    const bob = await makePerson(site, { hide_email: true })
    expect((await see(bob.name, await makePerson(site)))[1].email).toBe(noReply(bob))
    for (const viewer of [bob, await makeAdmin()]) {
      expect((await see(bob.name, viewer))[1].email).toBe(bob.account.email)
    }
  })

  it('200: administrators see everything', async () => {
    const bob = await makePerson(site, { language: 'de', prohibit_login: true })
    const [, body] = await see(bob.name, await makeAdmin())
    expect(body).toMatchObject({ language: 'de', active: true, prohibit_login: true })
  })

  it('never shows a password hash or any field beyond the contract', async () => {
    const bob = await makePerson(site)
    const [, body] = await see(bob.name, await makeAdmin())
    expect(Object.keys(body)).toHaveLength(23)
    expect(JSON.stringify(body)).not.toMatch(/password|argon2|hash/)
  })
})

describe('GET /users/{username} of an account that is not public', () => {
  it('limited: 200 for signed-in people who are not restricted, 404 for others', async () => {
    const bob = await makePerson(site, { visibility: 'limited' })
    expect((await see(bob.name, await makePerson(site, { is_restricted: true })))[0]).toBe(404)
    expect((await see(bob.name, await makePerson(site)))[0]).toBe(200)
    expect((await see(bob.name))[0]).toBe(404)
  })

  it('private: 200 for its owner and administrators, 404 for everybody else', async () => {
    const bob = await makePerson(site, { visibility: 'private' })
    const viewers = [bob, await makeAdmin(), await makePerson(site), undefined]
    const statuses = await Promise.all(viewers.map(async viewer => (await see(bob.name, viewer))[0]))
    expect(statuses).toEqual([200, 200, 404, 404])
  })

  it('404: the answer is the one for a name that does not exist', async () => {
    const bob = await makePerson(site, { visibility: 'private' })
    const url = `${site.url}/api/docs`
    for (const name of [bob.name, 'nobody-here']) {
      expect(await see(name)).toEqual([404, { message: `user redirect does not exist [name: ${name}]`, url }])
    }
  })
})
