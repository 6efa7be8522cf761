import { describe, expect, it } from 'vitest'
import { makeKey } from '@/db/testing/factories'
import { signIn } from '@/testing/browser'
import { call } from '@/testing/call'
import { makeLoginSource, makePerson, type Person, withPassword } from '@/testing/people'
import { openSite, useSite } from '@/testing/site'

const site = useSite()
const makeAdmin = () => makePerson(site, { is_admin: true })

const edit = async (person: Person, body: unknown, as?: Person) =>
  call(site, 'PATCH', `/admin/users/${person.name}`, { as: as ?? (await makeAdmin()), body })

const credentials = (person: Person) =>
  site.db
    .selectFrom('users')
    .select(['password_hash', 'must_change_password'])
    .where('id', '=', person.account.id)
    .executeTakeFirstOrThrow()

describe('PATCH /admin/users/{username}', () => {
  it('returns 200 and changes only the fields in the request', async () => {
    const bob = await makePerson(site, { full_name: 'Bob', location: 'Bonn' })
    const answer = await edit(bob, { location: 'Paris', admin: true, visibility: 'private' })
    expect(answer.status).toBe(200)
    expect(answer.body).toMatchObject({
      login: bob.name,
      email: bob.account.email,
      full_name: 'Bob',
      location: 'Paris',
      is_admin: true,
      visibility: 'private',
    })
  })

  it('returns 200 and ignores null, 0, and empty values, which clients with fixed fields send', async () => {
    const login_source_id = await makeLoginSource(site)
    const bob = await makePerson(site, { login_type: 'ldap', login_source_id, login_name: 'uid=bob' })
    const body = {
      source_id: 0,
      login_name: 'uid=bob',
      email: null,
      full_name: null,
      password: '',
      admin: null,
      active: null,
    }
    const answer = await edit(bob, body)
    expect([answer.status, answer.body]).toEqual([
      200,
      expect.objectContaining({
        source_id: login_source_id,
        email: bob.account.email,
        is_admin: false,
        active: true,
      }),
    ])
  })

  it('returns 200, after which only the new password works', async () => {
    const bob = await makePerson(site)
    await edit(bob, { password: 'another password', must_change_password: false })
    expect((await call(site, 'GET', '/user', { as: withPassword(bob) })).status).toBe(401)
    expect((await call(site, 'GET', '/user', { as: { basic: [bob.name, 'another password'] } })).status).toBe(
      200,
    )
  })

  it('returns 200 and blocks the account’s tokens immediately when login is prohibited', async () => {
    const bob = await makePerson(site)
    await edit(bob, { prohibit_login: true })
    expect((await call(site, 'GET', '/user', { as: bob })).status).toBe(403)
  })

  it('returns 200 and removes the local password and all sessions when the account moves to a directory', async () => {
    const source_id = await makeLoginSource(site)
    const bob = await makePerson(site, { must_change_password: true })
    const browser = await signIn(site, bob)
    const answer = await edit(bob, { source_id, login_name: 'uid=bob', password: 'another password' })
    expect([answer.status, answer.body.source_id]).toEqual([200, source_id])
    expect((await browser.query('sessions.getCurrent')).data).toBeNull()
    for (const password of [bob.password, 'another password']) {
      expect((await call(site, 'GET', '/user', { as: { basic: [bob.name, password] } })).status).toBe(401)
    }
    expect(await credentials(bob)).toEqual({ password_hash: null, must_change_password: false })
    expect((await call(site, 'GET', '/user', { as: bob })).status).toBe(200)
  })

  it('returns 200 and ignores the password and the unchanged directory of a directory account', async () => {
    const source_id = await makeLoginSource(site)
    const bob = await makePerson(site, {
      login_type: 'ldap',
      login_source_id: source_id,
      password_hash: null,
    })
    const answer = await edit(bob, { source_id, password: 'another password', must_change_password: true })
    expect([answer.status, answer.body.source_id]).toEqual([200, source_id])
    expect(await credentials(bob)).toEqual({ password_hash: null, must_change_password: false })
  })

  it('returns 400 for a weak password', async () => {
    expect((await edit(await makePerson(site), { password: 'short' })).status).toBe(400)
  })

  it('returns 400 for an email address in use', async () => {
    const bob = await makePerson(site)
    expect((await edit(await makePerson(site), { email: bob.account.email.toUpperCase() })).status).toBe(400)
  })

  it('returns 403 to anyone but administrators, even for their own account', async () => {
    const bob = await makePerson(site)
    expect((await edit(bob, { admin: true }, bob)).status).toBe(403)
  })

  it('returns 404 for an unknown name', async () => {
    const answer = await call(site, 'PATCH', '/admin/users/nobody-here', { as: await makeAdmin(), body: {} })
    expect(answer.status).toBe(404)
  })
})

describe('DELETE /admin/users/{username}', () => {
  it('returns 204 and deletes the account with its keys and tokens', async () => {
    const bob = await makePerson(site)
    const key = await makeKey(site.db, bob.account.id)
    const root = await makeAdmin()
    const answer = await call(site, 'DELETE', `/admin/users/${bob.name}`, { as: root })
    expect([answer.status, answer.text]).toEqual([204, ''])
    expect((await call(site, 'GET', '/user', { as: bob })).status).toBe(401)
    expect((await call(site, 'GET', `/users/${bob.name}`, { as: root })).status).toBe(404)
    expect((await call(site, 'GET', `/user/keys/${key.id}`, { as: root })).status).toBe(404)
    expect((await call(site, 'DELETE', `/admin/users/${bob.name}`, { as: root })).status).toBe(404)
  })

  it('returns 422 for the administrator’s own account', async () => {
    const root = await makeAdmin()
    await makeAdmin()
    const answer = await call(site, 'DELETE', `/admin/users/${root.name}`, { as: root })
    expect([answer.status, answer.body.message]).toEqual([422, expect.stringContaining('your own account')])
  })

  it('returns 403 to anyone but administrators, even for their own account', async () => {
    const bob = await makePerson(site)
    expect((await call(site, 'DELETE', `/admin/users/${bob.name}`, { as: bob })).status).toBe(403)
  })
})

describe('the last administrator who can sign in', () => {
  it('cannot be demoted, deactivated, locked, or moved to a directory (422), even by themselves', async () => {
    const lonely = await openSite()
    try {
      const root = await makePerson(lonely, { is_admin: true })
      await makePerson(lonely, { is_admin: true, is_active: false })
      await makePerson(lonely, { is_admin: true, prohibit_login: true })
      const source_id = await makeLoginSource(lonely)
      await makePerson(lonely, { is_admin: true, login_type: 'ldap', login_source_id: source_id })
      for (const body of [{ admin: false }, { active: false }, { prohibit_login: true }, { source_id }]) {
        const answer = await call(lonely, 'PATCH', `/admin/users/${root.name}`, { as: root, body })
        expect([answer.status, answer.body.message]).toEqual([
          422,
          expect.stringContaining('last administrator'),
        ])
      }
      expect((await call(lonely, 'GET', '/admin/users', { as: root })).status).toBe(200)
    } finally {
      await lonely.close()
    }
  })

  it('remains if two administrators demote each other at the same time', async () => {
    const pair = await openSite()
    try {
      const [one, two] = [
        await makePerson(pair, { is_admin: true }),
        await makePerson(pair, { is_admin: true }),
      ]
      const demote = (as: Person, other: Person) =>
        call(pair, 'PATCH', `/admin/users/${other.name}`, { as, body: { admin: false } })
      const answers = await Promise.all([demote(one, two), demote(two, one)])
      const statuses = answers.map(answer => answer.status)
      expect(statuses.filter(status => status === 200)).toHaveLength(1)
      expect(statuses.every(status => [200, 403, 422].includes(status))).toBe(true)
    } finally {
      await pair.close()
    }
  })
})
