import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { addToOrg, makeOrg } from '@/db/testing/factories'
import { call } from '@/testing/call'
import { makePerson, type Person } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()
const newName = () => `guild-${randomBytes(4).toString('hex')}`

async function ownedOrg(overrides: Parameters<typeof makeOrg>[2] = {}) {
  const owner = await makePerson(site)
  return { owner, org: await makeOrg(site.db, owner.account.id, overrides) }
}

const rename = (from: string, new_name: unknown, as?: Person) =>
  call(site, 'POST', `/orgs/${from}/rename`, { as, body: { new_name } })

const get = (path: string, as?: Person) => call(site, 'GET', path, { as })

describe('POST /orgs/{org}/rename', () => {
  it('returns 204, renames the organization, and records an event with both names', async () => {
    const { owner, org } = await ownedOrg()
    const to = newName()
    const answer = await rename(org.name, to, owner)
    expect([answer.status, answer.text]).toEqual([204, ''])
    expect((await get(`/orgs/${to}`)).body).toMatchObject({ id: org.id, name: to, username: to })
    const event = await site.db
      .selectFrom('events')
      .select(['kind', 'data'])
      .where('owner_id', '=', org.id)
      .executeTakeFirstOrThrow()
    expect(event).toEqual({ kind: 'org.renamed', data: { orgId: org.id, from: org.name, to } })
  })

  it('redirects the former name with 307 to the same path under the new name, with the query', async () => {
    const { owner, org } = await ownedOrg()
    const to = newName()
    await rename(org.name, to, owner)
    const answer = await get(`/orgs/${org.name.toUpperCase()}?x=1`)
    expect([answer.status, answer.headers.get('location')]).toEqual([307, `/api/v1/orgs/${to}?x=1`])
    const members = await get(`/orgs/${org.name}/members`)
    expect([members.status, members.headers.get('location')]).toEqual([307, `/api/v1/orgs/${to}/members`])
    const asUser = await get(`/users/${org.name}`)
    expect([asUser.status, asUser.headers.get('location')]).toEqual([307, `/api/v1/users/${to}`])
    const change = await call(site, 'PATCH', `/orgs/${org.name}`, { as: owner, body: {} })
    expect([change.status, change.headers.get('location')]).toEqual([307, `/api/v1/orgs/${to}`])
  })

  it('omits a token in the query from the Location and message of the redirect', async () => {
    const { owner, org } = await ownedOrg()
    const to = newName()
    await rename(org.name, to, owner)
    for (const name of ['token', 'access_token', 'acces%73_token']) {
      const answer = await get(`/orgs/${org.name}?x=1&${name}=${owner.token}&y=a%20b`)
      const location = `/api/v1/orgs/${to}?x=1&y=a+b`
      expect([answer.status, answer.headers.get('location')]).toEqual([307, location])
      expect(answer.body.message).toBe(`moved to ${location}`)
    }
  })

  it('redirects each former name with 307 directly to the current name', async () => {
    const { owner, org } = await ownedOrg()
    const [second, third] = [newName(), newName()]
    await rename(org.name, second, owner)
    await rename(second, third, owner)
    for (const old of [org.name, second]) {
      expect((await get(`/orgs/${old}`)).headers.get('location')).toBe(`/api/v1/orgs/${third}`)
    }
  })

  it('does not reveal a private organization’s new name to outsiders, for whom the former one returns 404', async () => {
    const { owner, org } = await ownedOrg({ visibility: 'private' })
    const [member, outsider] = [await makePerson(site), await makePerson(site)]
    await addToOrg(site.db, org.id, member.account.id)
    const to = newName()
    await rename(org.name, to, owner)
    expect((await get(`/orgs/${org.name}`, member)).status).toBe(307)
    for (const path of [`/orgs/${org.name}`, `/users/${org.name}`]) {
      for (const as of [outsider, undefined]) {
        const answer = await get(path, as)
        expect([answer.status, answer.headers.get('location')]).toEqual([404, null])
        expect(answer.text).not.toContain(to)
      }
    }
  })

  it('returns 204 for a rename back to a former name, which then no longer redirects', async () => {
    const { owner, org } = await ownedOrg()
    const to = newName()
    await rename(org.name, to, owner)
    expect((await rename(to, org.name, owner)).status).toBe(204)
    expect((await get(`/orgs/${org.name}`)).status).toBe(200)
    expect((await get(`/orgs/${to}`)).headers.get('location')).toBe(`/api/v1/orgs/${org.name}`)
  })

  it('returns 204 for a change of case only, without a redirect', async () => {
    const { owner, org } = await ownedOrg()
    const to = org.name.toUpperCase()
    expect((await rename(org.name, to, owner)).status).toBe(204)
    expect((await get(`/orgs/${org.name}`)).body.name).toBe(to)
    const redirects = await site.db
      .selectFrom('account_redirects')
      .select('name')
      .where('account_id', '=', org.id)
      .execute()
    expect(redirects).toEqual([])
  })

  it('returns 204 for the current name, without a change or an event', async () => {
    const { owner, org } = await ownedOrg()
    expect((await rename(org.name, org.name, owner)).status).toBe(204)
    const events = await site.db.selectFrom('events').select('id').where('owner_id', '=', org.id).execute()
    expect(events).toEqual([])
  })

  it('removes the redirect from a former name claimed by a user, an organization, or another rename', async () => {
    const root = await makePerson(site, { is_admin: true })
    const takers: ((name: string) => Promise<{ status: number }>)[] = [
      name =>
        call(site, 'POST', '/admin/users', {
          as: root,
          body: { username: name, email: `${name}@example.test`, password: 'long enough' },
        }),
      username => call(site, 'POST', '/orgs', { as: root, body: { username } }),
      async name => {
        const other = await ownedOrg()
        return await rename(other.org.name, name, root)
      },
    ]
    for (const take of takers) {
      const { owner, org } = await ownedOrg()
      await rename(org.name, newName(), owner)
      expect((await take(org.name.toUpperCase())).status).toBeLessThan(300)
      expect((await get(`/users/${org.name}`)).body.login).toBe(org.name.toUpperCase())
      const redirect = await site.db
        .selectFrom('account_redirects')
        .select('account_id')
        .where('name', '=', org.name)
        .executeTakeFirst()
      expect(redirect).toBeUndefined()
    }
  })

  it('reserves a former name for 30 days: others get 422, and it keeps redirecting', async () => {
    const { owner, org } = await ownedOrg()
    const to = newName()
    const stranger = await ownedOrg()
    site.now.set(new Date('2026-03-01T12:00:00Z'))
    await rename(org.name, to, owner)
    const takes = [
      () => call(site, 'POST', '/orgs', { as: stranger.owner, body: { username: org.name.toUpperCase() } }),
      () => rename(stranger.org.name, org.name, stranger.owner),
    ]
    site.now.set(new Date('2026-03-31T11:59:59Z'))
    for (const take of takes) {
      const answer = await take()
      expect([answer.status, answer.body.message]).toEqual([
        422,
        expect.stringMatching(
          /^name is reserved \[name: .*\]: another account had it until 2026-03-01, .*.* anyone else starting 2026-03-31$/,
        ),
      ])
      expect((await get(`/orgs/${org.name}`)).headers.get('location')).toBe(`/api/v1/orgs/${to}`)
    }
    site.now.set(new Date('2026-03-31T12:00:00Z'))
    expect((await takes[0]?.())?.status).toBe(201)
    site.now.set(undefined)
    expect((await get(`/orgs/${org.name}`)).status).toBe(200)
  })

  it('lets owners, but not members, create another organization with the former name immediately', async () => {
    const { owner, org } = await ownedOrg()
    const member = await makePerson(site)
    await addToOrg(site.db, org.id, member.account.id)
    await rename(org.name, newName(), owner)
    const make = (as: Person) => call(site, 'POST', '/orgs', { as, body: { username: org.name } })
    expect([(await make(member)).status, (await make(owner)).status]).toEqual([422, 201])
  })

  it('returns 422 for a name used by a user or organization, ignoring case', async () => {
    const { owner, org } = await ownedOrg()
    const other = await ownedOrg()
    for (const inUse of [owner.name, other.org.name]) {
      const to = inUse.toUpperCase()
      const answer = await rename(org.name, to, owner)
      expect([answer.status, answer.body.message]).toEqual([422, `user already exists [name: ${to}]`])
    }
  })

  it.each([
    ['user', 'name is reserved'],
    ['a..b', 'name is invalid'],
    ['x.keys', 'name pattern is not allowed'],
    ['', '[NewName]: Required'],
    [undefined, '[NewName]: Required'],
    [1, 'new_name'],
  ])('returns 422 for the name %s and explains why', async (to, message) => {
    const { owner, org } = await ownedOrg()
    const answer = await rename(org.name, to, owner)
    expect([answer.status, answer.body.message]).toEqual([422, expect.stringContaining(message)])
  })

  it('returns 204 to one of two organizations renamed to the same name concurrently, and 422 to the other', async () => {
    const [one, two, to] = [await ownedOrg(), await ownedOrg(), newName()]
    const answers = await Promise.all([
      rename(one.org.name, to, one.owner),
      rename(two.org.name, to, two.owner),
    ])
    expect(answers.map(answer => answer.status).sort()).toEqual([204, 422])
  })

  it('redirects all former names after two concurrent renames of one organization', async () => {
    const { owner, org } = await ownedOrg()
    const names = [newName(), newName()]
    const answers = await Promise.all(names.map(to => rename(org.name, to, owner)))
    // The later request may find that the former name already redirects.
    for (const { status } of answers) expect([204, 307]).toContain(status)
    const renamed = names.filter((_, index) => answers[index]?.status === 204)
    const found = await Promise.all([org.name, ...renamed].map(name => get(`/orgs/${name}`)))
    expect(found.map(answer => answer.status).sort()).toEqual([200, ...renamed.map(() => 307)])
  })

  it('returns 204 to site administrators, 403 to members and outsiders, and 401 without credentials', async () => {
    const { org } = await ownedOrg()
    const [member, outsider] = [await makePerson(site), await makePerson(site)]
    await addToOrg(site.db, org.id, member.account.id)
    for (const as of [member, outsider]) expect((await rename(org.name, newName(), as)).status).toBe(403)
    expect((await rename(org.name, newName())).status).toBe(401)
    const root = await makePerson(site, { is_admin: true })
    expect((await rename(org.name, newName(), root)).status).toBe(204)
  })

  it('returns 404 for a user, an unknown name, and a private organization to outsiders', async () => {
    const { org } = await ownedOrg({ visibility: 'private' })
    const outsider = await makePerson(site)
    for (const name of [outsider.name, 'nobody-here', org.name]) {
      expect((await rename(name, newName(), outsider)).status).toBe(404)
    }
  })
})
