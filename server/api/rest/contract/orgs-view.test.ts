import { describe, expect, it } from 'vitest'
import { addToOrg, makeOrg } from '@/db/testing/factories'
import { call } from '@/testing/call'
import { makePerson, makeToken, type Person } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()

async function makeWorld(overrides: Parameters<typeof makeOrg>[2] = {}) {
  const [outsider, member, owner, root] = await Promise.all([
    makePerson(site),
    makePerson(site),
    makePerson(site),
    makePerson(site, { is_admin: true }),
  ])
  const org = await makeOrg(site.db, owner.account.id, overrides)
  await addToOrg(site.db, org.id, member.account.id)
  return { org, outsider, member, owner, root }
}

const statuses = (path: string, people: (Person | undefined)[]) =>
  Promise.all(people.map(async as => (await call(site, 'GET', path, { as })).status))

describe('GET /orgs/{org}', () => {
  it('returns 200 regardless of the name’s case, and the email address only to signed-in users', async () => {
    const { org, outsider } = await makeWorld({ email: 'office@example.test', full_name: 'The Guild' })
    const answer = await call(site, 'GET', `/orgs/${org.name.toUpperCase()}`, { as: outsider })
    expect(answer.body).toMatchObject({ id: org.id, name: org.name, email: 'office@example.test' })
    const open = await call(site, 'GET', `/orgs/${org.name}`)
    expect([open.status, open.body.email, open.body.full_name]).toEqual([200, '', 'The Guild'])
  })

  it.each<['public' | 'limited' | 'private', number[]]>([
    ['public', [200, 200, 200, 200, 200]],
    ['limited', [404, 200, 200, 200, 200]],
    ['private', [404, 404, 200, 200, 200]],
  ])(
    'for a %s organization returns to anonymous, outsider, member, owner, and site administrator: %s',
    async (visibility, expected) => {
      const { org, outsider, member, owner, root } = await makeWorld({ visibility })
      const people = [undefined, outsider, member, owner, root]
      for (const path of ['', '/public_members', '/repos']) {
        expect(await statuses(`/orgs/${org.name}${path}`, people)).toEqual(expected)
      }
      expect(await statuses(`/users/${org.name}`, people)).toEqual(expected)
    },
  )

  it('returns 404 for a limited organization to restricted users who are not members', async () => {
    const { org } = await makeWorld({ visibility: 'limited' })
    const restricted = await makePerson(site, { is_restricted: true })
    expect(await statuses(`/orgs/${org.name}`, [restricted])).toEqual([404])
  })

  it('returns the same 404 for a user as for an unknown name', async () => {
    const ada = await makePerson(site)
    for (const name of [ada.name, 'nobody-here', '%00', 'a%2Fb']) {
      const answer = await call(site, 'GET', `/orgs/${name}`)
      expect([answer.status, answer.body.message]).toEqual([404, 'not found'])
    }
  })

  it('returns 403 for a private organization and a token limited to public data, or 404 if its owner cannot see it', async () => {
    const { org, member, outsider } = await makeWorld({ visibility: 'private' })
    const tokenOf = async ({ account }: Person) => ({
      token: await makeToken(site, account.id, ['public-only', 'read:organization']),
    })
    const refused = await call(site, 'GET', `/orgs/${org.name}`, { as: await tokenOf(member) })
    expect([refused.status, refused.body.message]).toEqual([403, 'token scope is limited to public orgs'])
    const hidden = await call(site, 'GET', `/orgs/${org.name}`, { as: await tokenOf(outsider) })
    expect(hidden.status).toBe(404)
  })
})

describe('PATCH /orgs/{org}', () => {
  const edit = (name: string, body: unknown, as?: Person) =>
    call(site, 'PATCH', `/orgs/${name}`, { as, body })

  it('returns 200 to owners and site administrators, and changes only the fields in the request', async () => {
    const { org, owner, root } = await makeWorld({ full_name: 'Before', location: 'York' })
    const first = await edit(org.name, { full_name: 'After', visibility: 'limited' }, owner)
    expect([first.status, first.body]).toEqual([
      200,
      expect.objectContaining({ full_name: 'After', visibility: 'limited', location: 'York' }),
    ])
    const second = await edit(org.name, { location: '', repo_admin_change_team_access: true }, root)
    expect(second.body).toMatchObject({
      full_name: 'After',
      location: '',
      repo_admin_change_team_access: true,
    })
  })

  it('returns 200 and records an event, unless no field is in the request', async () => {
    const { org, owner } = await makeWorld()
    await edit(org.name, {}, owner)
    await edit(org.name, { location: 'York', website: '', visibility: '' }, owner)
    const events = await site.db
      .selectFrom('events')
      .select(['kind', 'data'])
      .where('owner_id', '=', org.id)
      .execute()
    expect(events).toEqual([
      { kind: 'org.edited', data: { orgId: org.id, name: org.name, changed: 'location website' } },
    ])
  })

  it('returns 200 and never renames, regardless of the body', async () => {
    const { org, owner } = await makeWorld()
    const body = { name: 'other', username: 'other', new_name: 'other', org: 'other', location: 'York' }
    const answer = await edit(org.name, body, owner)
    expect(answer.body).toMatchObject({ name: org.name, username: org.name, location: 'York' })
    expect((await call(site, 'GET', '/orgs/other')).status).toBe(404)
  })

  it('returns 403 to members and outsiders, and 401 without credentials', async () => {
    const { org, member, outsider } = await makeWorld()
    for (const as of [member, outsider]) {
      const answer = await edit(org.name, { location: 'York' }, as)
      expect([answer.status, answer.body.message]).toEqual([403, 'Must be an organization owner'])
    }
    expect((await edit(org.name, {})).status).toBe(401)
  })

  it('returns 404 for a private organization to outsiders, and for a user', async () => {
    const { org, outsider, root } = await makeWorld({ visibility: 'private' })
    expect((await edit(org.name, {}, outsider)).status).toBe(404)
    expect((await edit(outsider.name, { location: 'York' }, root)).status).toBe(404)
  })

  it('returns 422 for invalid input', async () => {
    const { org, owner } = await makeWorld()
    for (const body of [{ visibility: 'x' }, { website: 'x' }, { email: 'x' }, { full_name: 1 }]) {
      expect((await edit(org.name, body, owner)).status).toBe(422)
    }
  })

  it('returns 403 for hiding it with a token limited to public data', async () => {
    const { org, owner } = await makeWorld()
    const as = { token: await makeToken(site, owner.account.id, ['public-only', 'all']) }
    const answer = await call(site, 'PATCH', `/orgs/${org.name}`, { as, body: { visibility: 'private' } })
    expect(answer.status).toBe(403)
  })
})
