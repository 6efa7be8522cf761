import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { makeOrg } from '@/db/testing/factories'
import { call } from '@/testing/call'
import { makePerson, makeToken, type Person } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()
const newName = () => `guild-${randomBytes(4).toString('hex')}`
const create = (as: Person, body: unknown) => call(site, 'POST', '/orgs', { as, body })

describe('POST /orgs', () => {
  it('returns 201 and all fields, with defaults for those not in the request', async () => {
    const [ada, name] = [await makePerson(site), newName()]
    const answer = await create(ada, { username: name })
    expect([answer.status, answer.body]).toEqual([
      201,
      {
        id: expect.any(Number),
        name,
        username: name,
        full_name: '',
        email: '',
        avatar_url: `${site.url}/avatars/${answer.body.id}`,
        description: '',
        website: '',
        location: '',
        visibility: 'public',
        repo_admin_change_team_access: false,
      },
    ])
    const profile = {
      full_name: 'The Guild',
      email: 'office@example.test',
      description: 'stone\nmasons',
      website: 'https://guild.example',
      location: 'York',
      visibility: 'private',
      repo_admin_change_team_access: true,
    }
    expect((await create(ada, { username: newName(), ...profile })).body).toMatchObject(profile)
  })

  it('returns 201 and makes the caller an owner, with an Owners team of all permissions and a concealed membership', async () => {
    const [ada, username] = [await makePerson(site), newName()]
    const { id } = (await create(ada, { username })).body
    const teams = await site.db.selectFrom('teams').selectAll().where('org_id', '=', id).execute()
    expect(teams).toMatchObject([
      {
        name: 'Owners',
        mode: 'owner',
        is_owners: true,
        includes_all_repositories: true,
        can_create_org_repo: true,
        member_count: 1,
      },
    ])
    const units = await site.db
      .selectFrom('team_units')
      .select(['unit', 'mode'])
      .where('org_id', '=', id)
      .execute()
    expect(units).toHaveLength(10)
    const external = units.filter(({ unit }) => unit === 'repo.ext_wiki' || unit === 'repo.ext_issues')
    expect(external.map(({ mode }) => mode)).toEqual(['read', 'read'])
    expect(units.filter(({ mode }) => mode === 'owner')).toHaveLength(8)
    expect((await call(site, 'GET', `/orgs/${username}/members`, { as: ada })).body).toHaveLength(1)
    expect((await call(site, 'GET', `/orgs/${username}/public_members`, { as: ada })).body).toEqual([])
    expect((await call(site, 'PATCH', `/orgs/${username}`, { as: ada, body: {} })).status).toBe(200)
  })

  it('returns 201 and records an event of the organization', async () => {
    const [ada, username] = [await makePerson(site), newName()]
    const { id } = (await create(ada, { username })).body
    const events = await site.db
      .selectFrom('events')
      .select(['kind', 'actor_id', 'data'])
      .where('owner_id', '=', id)
      .execute()
    expect(events).toEqual([
      {
        kind: 'org.created',
        actor_id: ada.account.id,
        data: { orgId: id, name: username, ownerId: ada.account.id, owner: ada.name },
      },
    ])
  })

  it('returns 422 for a name used by a user or organization, ignoring case', async () => {
    const ada = await makePerson(site)
    const org = await makeOrg(site.db, ada.account.id)
    for (const inUse of [ada.name, org.name]) {
      const username = inUse.toUpperCase()
      const answer = await create(ada, { username })
      expect([answer.status, answer.body.message]).toEqual([422, `user already exists [name: ${username}]`])
    }
  })

  it('returns 201 to one of two concurrent requests for a name, and 422 to the other, which creates nothing', async () => {
    const [ada, bob, username] = [await makePerson(site), await makePerson(site), newName()]
    const answers = await Promise.all([create(ada, { username }), create(bob, { username })])
    expect(answers.map(answer => answer.status).sort()).toEqual([201, 422])
    const mine = await Promise.all([ada, bob].map(as => call(site, 'GET', '/user/orgs', { as })))
    expect(mine.map(answer => answer.body.length).sort()).toEqual([0, 1])
  })

  it.each([
    ['user', 'name is reserved [name: user]'],
    ['x.keys', 'name pattern is not allowed [pattern: *.keys]'],
    ['-x', 'name is invalid [-x]'],
    ['a b', 'name is invalid [a b]'],
  ])('returns 422 for the name %s and explains why', async (username, message) => {
    const answer = await create(await makePerson(site), { username })
    expect([answer.status, answer.body.message]).toEqual([422, expect.stringContaining(message)])
  })

  it.each<[string, Record<string, unknown>]>([
    ['[Username]: Required', { username: undefined }],
    ['[Username]: Required', { username: ' ' }],
    ['[Username]: MaxSize', { username: 'x'.repeat(41) }],
    ['[FullName]: MaxSize', { full_name: 'x'.repeat(101) }],
    ['[Email]: Email', { email: 'nowhere' }],
    ['[Email]: Email', { email: 'no where@example.com' }],
    ['[Description]: MaxSize', { description: 'x'.repeat(256) }],
    ['[Website]', { website: 'javascript:alert(1)' }],
    ['[Location]: MaxSize', { location: 'x'.repeat(51) }],
    ['[Visibility]: In', { visibility: 'secret' }],
    ['[]: repo_admin_change_team_access', { repo_admin_change_team_access: 'true' }],
  ])('returns 422 with %s', async (message, value) => {
    const answer = await create(await makePerson(site), { username: newName(), ...value })
    expect([answer.status, answer.body.message]).toEqual([422, expect.stringContaining(message)])
  })

  it('returns 201 for an email address on a host of the local network', async () => {
    const answer = await create(await makePerson(site), { username: newName(), email: 'office@buildhost' })
    expect([answer.status, answer.body.email]).toEqual([201, 'office@buildhost'])
  })

  it('returns 201 and treats an empty visibility as absent', async () => {
    const answer = await create(await makePerson(site), { username: newName(), visibility: '' })
    expect([answer.status, answer.body.visibility]).toEqual([201, 'public'])
  })

  it('returns 403 for a hidden organization and a token limited to public data', async () => {
    const ada = await makePerson(site)
    const as = { token: await makeToken(site, ada.account.id, ['public-only', 'all']) }
    const body = { username: newName(), visibility: 'limited' }
    const answer = await call(site, 'POST', '/orgs', { as, body })
    expect([answer.status, answer.body.message]).toEqual([403, 'token scope is limited to public orgs'])
  })

  it('returns 401 without credentials', async () => {
    expect((await call(site, 'POST', '/orgs', { body: { username: newName() } })).status).toBe(401)
  })
})

describe('POST /admin/users/{username}/orgs', () => {
  const createFor = (as: Person, owner: string, body: unknown) =>
    call(site, 'POST', `/admin/users/${owner}/orgs`, { as, body })

  it('returns 201 and makes the named user the owner, not the administrator', async () => {
    const [root, ada] = [await makePerson(site, { is_admin: true }), await makePerson(site)]
    const answer = await createFor(root, ada.name.toUpperCase(), { username: newName() })
    expect(answer.status).toBe(201)
    const members = await call(site, 'GET', `/orgs/${answer.body.name}/members`, { as: ada })
    expect(members.body.map((user: { login: string }) => user.login)).toEqual([ada.name])
  })

  it('returns 404 for an unknown user or an organization', async () => {
    const root = await makePerson(site, { is_admin: true })
    const org = await makeOrg(site.db, root.account.id)
    for (const owner of ['nobody-here', org.name]) {
      expect((await createFor(root, owner, { username: newName() })).status).toBe(404)
    }
  })

  it('returns 422 for a name in use', async () => {
    const [root, ada] = [await makePerson(site, { is_admin: true }), await makePerson(site)]
    expect((await createFor(root, ada.name, { username: root.name })).status).toBe(422)
  })

  it('returns 403 to anyone but administrators, and 401 without credentials', async () => {
    const ada = await makePerson(site)
    expect((await createFor(ada, ada.name, { username: newName() })).status).toBe(403)
    expect((await call(site, 'POST', `/admin/users/${ada.name}/orgs`, { body: {} })).status).toBe(401)
  })
})
