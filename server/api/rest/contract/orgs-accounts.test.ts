import { describe, expect, it } from 'vitest'
import { addToOrg, addToTeam, makeOrg, makeRepository } from '@/db/testing/factories'
import { call } from '@/testing/call'
import { newKey } from '@/testing/keys'
import { makePerson, type Person, withPassword } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()
const makeAdmin = () => makePerson(site, { is_admin: true })
const newOrg = async (overrides: Parameters<typeof makeOrg>[2] = {}) =>
  makeOrg(site.db, (await makePerson(site)).account.id, overrides)

describe('an organization in the endpoints for users', () => {
  it('is returned by GET /users/{username} with 200, with its email address only for signed-in users', async () => {
    const org = await newOrg({ email: 'office@example.test' })
    const answer = await call(site, 'GET', `/users/${org.name}`, { as: await makePerson(site) })
    expect([answer.status, answer.body]).toMatchObject([
      200,
      { login: org.name, email: 'office@example.test' },
    ])
    expect((await call(site, 'GET', `/users/${org.name}`)).body.email).toBe('')
  })

  it('is not in lists and searches of users', async () => {
    const [org, root] = [await newOrg(), await makeAdmin()]
    for (const path of [`/users/search?q=${org.name}`, `/users/search?uid=${org.id}`]) {
      const answer = await call(site, 'GET', path, { as: root })
      expect([answer.body.data, answer.headers.get('x-total-count')]).toEqual([[], '0'])
    }
    expect((await call(site, 'GET', `/admin/users?q=${org.name}`, { as: root })).body).toEqual([])
  })

  it('has no keys (200), and returns 404 if it is hidden', async () => {
    const [ada, open, hidden] = [
      await makePerson(site),
      await newOrg(),
      await newOrg({ visibility: 'private' }),
    ]
    const answer = await call(site, 'GET', `/users/${open.name}/keys`, { as: ada })
    expect([answer.status, answer.body]).toEqual([200, []])
    expect((await call(site, 'GET', `/users/${hidden.name}/keys`, { as: ada })).status).toBe(404)
  })

  it('returns 404 in administrators’ user endpoints', async () => {
    const [org, root] = [await newOrg(), await makeAdmin()]
    const asked: [string, string, unknown?][] = [
      ['PATCH', `/admin/users/${org.name}`, { full_name: 'x' }],
      ['DELETE', `/admin/users/${org.name}`],
      ['POST', `/admin/users/${org.name}/keys`, { title: 'x', key: newKey().text }],
      ['DELETE', `/admin/users/${org.name}/keys/1`],
      ['POST', `/admin/users/${org.name}/orgs`, { username: `${org.name}-2` }],
      ['GET', `/users/${org.name}/tokens`],
      ['POST', `/users/${org.name}/tokens`, { name: 'x', scopes: ['all'] }],
    ]
    for (const [method, path, body] of asked) {
      const answer = await call(site, method, path, { as: withPassword(root), body })
      expect([path, answer.status]).toEqual([path, 404])
    }
    expect((await call(site, 'GET', `/orgs/${org.name}`)).status).toBe(200)
  })

  it('cannot be used with Sudo (404) or to sign in (401)', async () => {
    const [org, root] = [await newOrg(), await makeAdmin()]
    const sudo = await call(site, 'GET', '/user', { as: root, headers: { sudo: org.name } })
    expect(sudo.status).toBe(404)
    expect((await call(site, 'GET', '/user', { as: { basic: [org.name, ''] } })).status).toBe(401)
  })

  it('prevents creating a user with its name, ignoring case (422)', async () => {
    const [org, root] = [await newOrg(), await makeAdmin()]
    const username = org.name.toUpperCase()
    const body = { username, email: `${org.name}@example.test`, password: 'long enough' }
    const answer = await call(site, 'POST', '/admin/users', { as: root, body })
    expect([answer.status, answer.body.message]).toEqual([422, `user already exists [name: ${username}]`])
  })
})

describe('DELETE /admin/users/{username} of an organization member', () => {
  const remove = (as: Person, person: Person) => call(site, 'DELETE', `/admin/users/${person.name}`, { as })

  it('returns 204, deletes the memberships, and updates the counts', async () => {
    const [root, owner, bob] = [await makeAdmin(), await makePerson(site), await makePerson(site)]
    const org = await makeOrg(site.db, owner.account.id)
    await addToOrg(site.db, org.id, bob.account.id, true)
    expect((await remove(root, bob)).status).toBe(204)
    const members = await call(site, 'GET', `/orgs/${org.name}/members`, { as: owner })
    expect([members.body.length, members.headers.get('x-total-count')]).toEqual([1, '1'])
  })

  it('returns 422 with the number of repositories while the user owns any', async () => {
    const [root, bob] = [await makeAdmin(), await makePerson(site)]
    await makeRepository(site.db, bob.account.id)
    const answer = await remove(root, bob)
    expect([answer.status, answer.body.message]).toEqual([
      422,
      `user still owns repositories [name: ${bob.name}, count: 1]; delete or transfer them first`,
    ])
    await site.db.deleteFrom('repositories').where('owner_id', '=', bob.account.id).execute()
    expect((await remove(root, bob)).status).toBe(204)
  })

  it('returns 422 for the last owner of an organization, with its name, and 204 if another owner remains', async () => {
    const [root, bob, ada] = [await makeAdmin(), await makePerson(site), await makePerson(site)]
    const org = await makeOrg(site.db, bob.account.id)
    const answer = await remove(root, bob)
    expect([answer.status, answer.body.message]).toEqual([
      422,
      `user is the last owner of an organization [name: ${org.name}]; add another owner or delete it first`,
    ])
    await addToTeam(site.db, { id: org.ownersTeamId, org_id: org.id }, ada.account.id)
    expect((await remove(root, bob)).status).toBe(204)
  })

  it('never leaves an organization without an owner, even during concurrent changes', async () => {
    const root = await makeAdmin()
    for (let round = 0; round < 5; round++) {
      const [ada, bob] = [await makePerson(site), await makePerson(site)]
      const org = await makeOrg(site.db, ada.account.id)
      await addToTeam(site.db, { id: org.ownersTeamId, org_id: org.id }, bob.account.id)
      const username = `${org.name}-new`
      const answers = await Promise.all([
        call(site, 'POST', '/orgs', { as: ada, body: { username } }),
        remove(root, ada),
        call(site, 'DELETE', `/orgs/${org.name}/members/${bob.name}`, { as: bob }),
      ])
      for (const { status, text } of answers) expect(status, text).toBeLessThan(500)
      const ownerless = await site.db
        .selectFrom('teams')
        .select('id')
        .where('is_owners', '=', true)
        .where('member_count', '=', 0)
        .execute()
      expect(ownerless).toEqual([])
    }
  })
})
