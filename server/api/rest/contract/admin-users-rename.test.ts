import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { addToOrg, makeOrg, makeRepository } from '@/db/testing/factories'
import { signIn } from '@/testing/browser'
import { call } from '@/testing/call'
import { makeLoginSource, makePerson, type Person } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()
const newName = () => `person-${randomBytes(4).toString('hex')}`
const makeAdmin = () => makePerson(site, { is_admin: true })
const rename = (as: Person | undefined, from: string, new_username: unknown) =>
  call(site, 'POST', `/admin/users/${from}/rename`, { as, body: { new_username } })
const get = (path: string, as?: Person) => call(site, 'GET', path, { as })
const whereTo = (answer: Awaited<ReturnType<typeof get>>) => [answer.status, answer.headers.get('location')]

describe('POST /admin/users/{username}/rename', () => {
  it('returns 204, renames the user everywhere, and records an event with both names', async () => {
    const [root, bob, to] = [await makeAdmin(), await makePerson(site), newName()]
    const org = await makeOrg(site.db, root.account.id)
    await addToOrg(site.db, org.id, bob.account.id, true)
    const answer = await rename(root, bob.name, to)
    expect([answer.status, answer.text]).toEqual([204, ''])
    expect((await get('/user', bob)).body).toMatchObject({ id: bob.account.id, login: to, username: to })
    expect((await call(site, 'GET', '/user', { as: { basic: [to, bob.password] } })).status).toBe(200)
    const members = (await get(`/orgs/${org.name}/members`, root)).body
    expect(members.map(({ login }: { login: string }) => login)).toContain(to)
    const event = await site.db
      .selectFrom('events')
      .select(['kind', 'data'])
      .where('owner_id', '=', bob.account.id)
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow()
    expect(event).toEqual({ kind: 'user.renamed', data: { userId: bob.account.id, from: bob.name, to } })
  })

  it('redirects the former name to the new one with 307, also in repository addresses', async () => {
    const [root, bob, to] = [await makeAdmin(), await makePerson(site), newName()]
    const repository = await makeRepository(site.db, bob.account.id)
    await rename(root, bob.name, to)
    expect(whereTo(await get(`/users/${bob.name.toUpperCase()}?x=1`))).toEqual([
      307,
      `/api/v1/users/${to}?x=1`,
    ])
    const path = `/repos/${bob.name}/${repository.name}`
    expect(whereTo(await get(path))).toEqual([307, `/api/v1/repos/${to}/${repository.name}`])
    expect((await get(`/repos/${to}/${repository.name}`)).body.full_name).toBe(`${to}/${repository.name}`)
  })

  it('does not reveal a hidden user’s new name: the former one returns 404', async () => {
    const [root, bob] = [await makeAdmin(), await makePerson(site, { visibility: 'private' })]
    await rename(root, bob.name, newName())
    expect((await get(`/users/${bob.name}`, await makePerson(site))).status).toBe(404)
  })

  it('returns 204 for a rename back to the former name or to another case of the name, and leaves no redirects from it', async () => {
    const [root, bob, to] = [await makeAdmin(), await makePerson(site), newName()]
    for (const [from, name] of [
      [bob.name, to],
      [to, bob.name],
      [bob.name, bob.name.toUpperCase()],
      [bob.name.toUpperCase(), bob.name.toUpperCase()],
    ] as const) {
      expect((await rename(root, from, name)).status).toBe(204)
    }
    expect((await get(`/users/${bob.name}`)).body.login).toBe(bob.name.toUpperCase())
    expect(whereTo(await get(`/users/${to}`))).toEqual([307, `/api/v1/users/${bob.name.toUpperCase()}`])
  })

  it('reserves the former name: others get 422, so that clones cannot fetch from someone else', async () => {
    const [root, bob, eve] = [await makeAdmin(), await makePerson(site), await makePerson(site)]
    await rename(root, bob.name, newName())
    const answer = await call(site, 'POST', '/orgs', { as: eve, body: { username: bob.name } })
    expect([answer.status, answer.body.message]).toEqual([422, expect.stringContaining('name is reserved')])
  })

  it.each([
    ['user', 'name is reserved [name: user]'],
    ['a b', 'name is invalid [a b]'],
    ['', '[NewUsername]: Required'],
    [undefined, '[NewUsername]: Required'],
  ])('returns 422 for the name %j and explains why', async (name, message) => {
    const [root, bob] = [await makeAdmin(), await makePerson(site)]
    const answer = await rename(root, bob.name, name)
    expect([answer.status, answer.body.message]).toEqual([422, expect.stringContaining(message)])
  })

  it('returns 422 for another account’s name, ignoring case', async () => {
    const [root, bob, other] = [await makeAdmin(), await makePerson(site), await makePerson(site)]
    const name = other.name.toUpperCase()
    const answer = await rename(root, bob.name, name)
    expect([answer.status, answer.body.message]).toEqual([422, `user already exists [name: ${name}]`])
    expect((await get(`/users/${bob.name}`)).status).toBe(200)
  })

  it('returns 422 for a directory account, whose name comes from the directory', async () => {
    const login_source_id = await makeLoginSource(site)
    const bob = await makePerson(site, { login_type: 'ldap', login_source_id })
    expect((await rename(await makeAdmin(), bob.name, newName())).status).toBe(422)
  })

  it('returns 403 to anyone but administrators, 401 without credentials, and 404 for an unknown user', async () => {
    const bob = await makePerson(site)
    expect((await rename(bob, bob.name, newName())).status).toBe(403)
    expect((await rename(undefined, bob.name, newName())).status).toBe(401)
    const org = await makeOrg(site.db, bob.account.id)
    for (const name of ['nobody-here', org.name]) {
      expect((await rename(await makeAdmin(), name, newName())).status).toBe(404)
    }
  })

  it('returns 204 to one of two users renamed to the same name concurrently, and 422 to the other', async () => {
    const [root, to] = [await makeAdmin(), newName()]
    const people = [await makePerson(site), await makePerson(site)]
    const answers = await Promise.all(people.map(({ name }) => rename(root, name, to)))
    expect(answers.map(({ status }) => status).sort()).toEqual([204, 422])
  })
})

describe('users.renameMe', () => {
  it('renames the caller and keeps them signed in', async () => {
    const [bob, to] = [await makePerson(site), newName()]
    const browser = await signIn(site, bob)
    expect((await browser.query('users.mayRename')).data).toBe(true)
    expect((await browser.mutate('users.renameMe', { new_username: to })).status).toBe(200)
    expect((await browser.query('users.getMe')).data.login).toBe(to)
    expect(whereTo(await get(`/users/${bob.name}`))).toEqual([307, `/api/v1/users/${to}`])
  })

  it('returns 422 for a name that only administrators can assign', async () => {
    const bob = await makePerson(site)
    const refused = await (await signIn(site, bob)).mutate('users.renameMe', { new_username: 'admin' })
    expect([refused.status, refused.error?.message]).toEqual([422, 'name is reserved [name: admin]'])
    expect((await get('/user', bob)).body.login).toBe(bob.name)
  })

  it('returns 404 on a site that does not let users rename themselves', async () => {
    const bob = await makePerson(site)
    const browser = await signIn(site, bob)
    const { config } = site.services
    const before = config.disabledFeatures
    Object.assign(config, { disabledFeatures: new Set(['change_username']) })
    expect((await browser.query('users.mayRename')).data).toBe(false)
    const refused = await browser.mutate('users.renameMe', { new_username: newName() })
    Object.assign(config, { disabledFeatures: before })
    expect(refused.status).toBe(404)
    expect((await get('/user', bob)).body.login).toBe(bob.name)
  })
})
