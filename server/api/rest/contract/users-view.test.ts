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
  it('returns 200 and every field of the caller', async () => {
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

  it('returns 401 without credentials', async () => {
    expect((await call(site, 'GET', '/user')).status).toBe(401)
  })
})

describe('GET /users/{username}', () => {
  it('returns 200 with empty private fields to strangers, signed in or not', async () => {
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

  it('returns 200 with the email address only to signed-in users, and a noreply address to others', async () => {
    const bob = await makePerson(site, { name: 'Bob-Mixed' })
    expect((await see(bob.name, await makePerson(site)))[1].email).toBe(bob.account.email)
    expect((await see(bob.name))[1].email).toBe(noReply(bob))
  })

  it('returns 200 with a hidden email address only to its owner and administrators', async () => {
    const bob = await makePerson(site, { hide_email: true })
    expect((await see(bob.name, await makePerson(site)))[1].email).toBe(noReply(bob))
    for (const viewer of [bob, await makeAdmin()]) {
      expect((await see(bob.name, viewer))[1].email).toBe(bob.account.email)
    }
  })

  it('returns 200 with all fields to administrators', async () => {
    const bob = await makePerson(site, { language: 'de', prohibit_login: true })
    const [, body] = await see(bob.name, await makeAdmin())
    expect(body).toMatchObject({ language: 'de', active: true, prohibit_login: true })
  })

  it('never contains a password hash or a field outside of the contract', async () => {
    const bob = await makePerson(site)
    const [, body] = await see(bob.name, await makeAdmin())
    expect(Object.keys(body)).toHaveLength(23)
    expect(JSON.stringify(body)).not.toMatch(/password|argon2|hash/)
  })
})

describe('GET /users/{username} of a limited or private account', () => {
  it('returns 200 for a limited account to signed-in users who are not restricted, and 404 to others', async () => {
    const bob = await makePerson(site, { visibility: 'limited' })
    expect((await see(bob.name, await makePerson(site, { is_restricted: true })))[0]).toBe(404)
    expect((await see(bob.name, await makePerson(site)))[0]).toBe(200)
    expect((await see(bob.name))[0]).toBe(404)
  })

  it('returns 200 for a private account to its owner and administrators, and 404 to others', async () => {
    const bob = await makePerson(site, { visibility: 'private' })
    const viewers = [bob, await makeAdmin(), await makePerson(site), undefined]
    const statuses = await Promise.all(viewers.map(async viewer => (await see(bob.name, viewer))[0]))
    expect(statuses).toEqual([200, 200, 404, 404])
  })

  it('returns the same 404 as for an unknown name', async () => {
    const bob = await makePerson(site, { visibility: 'private' })
    const url = `${site.url}/api/docs`
    for (const name of [bob.name, 'nobody-here']) {
      expect(await see(name)).toEqual([404, { message: `user redirect does not exist [name: ${name}]`, url }])
    }
  })
})
