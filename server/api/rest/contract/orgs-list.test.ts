import { beforeAll, describe, expect, it } from 'vitest'
import { addToOrg, makeOrg } from '@/db/testing/factories'
import { type Answer, call } from '@/testing/call'
import { makePerson, makeToken, type Person } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()
const people: Record<'owner' | 'member' | 'outsider' | 'restricted' | 'root', Person> = {} as never

const names = ({ body }: Answer) => body.map((org: { name: string }) => org.name)
const total = ({ headers }: Answer) => headers.get('x-total-count')
const list = async (path: string, as?: Person | { token: string }) =>
  names(await call(site, 'GET', path, { as }))
const publicOnly = async ({ account }: Person) => ({
  token: await makeToken(site, account.id, ['public-only', 'all']),
})

beforeAll(async () => {
  people.owner = await makePerson(site)
  people.member = await makePerson(site)
  people.outsider = await makePerson(site)
  people.restricted = await makePerson(site, { is_restricted: true })
  people.root = await makePerson(site, { is_admin: true })
  const make = (name: string, visibility: 'public' | 'limited' | 'private') =>
    makeOrg(site.db, people.owner.account.id, { name, visibility })
  const [hidden, limited, open] = [
    await make('c-private', 'private'),
    await make('B-limited', 'limited'),
    await make('a-public', 'public'),
  ]
  const { id } = people.member.account
  await addToOrg(site.db, hidden.id, id)
  await addToOrg(site.db, limited.id, id, true)
  await addToOrg(site.db, open.id, id)
  await make('d-alone', 'public')
})

describe('GET /orgs', () => {
  it('returns 200 and the organizations visible to the caller, by name ignoring case', async () => {
    expect(await list('/orgs')).toEqual(['a-public', 'd-alone'])
    expect(await list('/orgs', people.restricted)).toEqual(['a-public', 'd-alone'])
    expect(await list('/orgs', people.outsider)).toEqual(['a-public', 'B-limited', 'd-alone'])
    expect(await list('/orgs', people.member)).toEqual(['a-public', 'B-limited', 'c-private', 'd-alone'])
    expect(await list('/orgs', people.root)).toEqual(['a-public', 'B-limited', 'c-private', 'd-alone'])
  })

  it('returns 200 and only public organizations for a token limited to public data, even an administrator’s', async () => {
    for (const person of [people.member, people.root]) {
      expect(await list('/orgs', await publicOnly(person))).toEqual(['a-public', 'd-alone'])
    }
  })

  it('returns 200 and pages with links, and an empty list with the true total past the end', async () => {
    const answer = await call(site, 'GET', '/orgs?limit=3', { as: people.member })
    expect([names(answer), total(answer)]).toEqual([['a-public', 'B-limited', 'c-private'], '4'])
    expect(answer.headers.get('link')).toContain(`<${site.url}/api/v1/orgs?limit=3&page=2>; rel="next"`)
    const past = await call(site, 'GET', '/orgs?page=9')
    expect([past.body, total(past)]).toEqual([[], '2'])
  })
})

describe('GET /admin/orgs', () => {
  it('returns 200 and all organizations, with count and links', async () => {
    const answer = await call(site, 'GET', '/admin/orgs?limit=2&page=2', { as: people.root })
    expect([names(answer), total(answer)]).toEqual([['c-private', 'd-alone'], '4'])
    expect(answer.headers.get('link')).toContain('rel="prev"')
  })

  it('returns 403 to anyone but administrators, and 401 without credentials', async () => {
    expect((await call(site, 'GET', '/admin/orgs', { as: people.owner })).status).toBe(403)
    expect((await call(site, 'GET', '/admin/orgs')).status).toBe(401)
  })
})

describe('GET /user/orgs', () => {
  it('returns 200 and all of the caller’s organizations, with count and links', async () => {
    expect(await list('/user/orgs', people.member)).toEqual(['a-public', 'B-limited', 'c-private'])
    expect(await list('/user/orgs', people.outsider)).toEqual([])
    const answer = await call(site, 'GET', '/user/orgs?limit=2', { as: people.owner })
    expect([names(answer), total(answer)]).toEqual([['a-public', 'B-limited'], '4'])
    expect(answer.headers.get('link')).toContain(`<${site.url}/api/v1/user/orgs?limit=2&page=2>; rel="last"`)
    const past = await call(site, 'GET', '/user/orgs?page=9', { as: people.owner })
    expect([past.body, total(past)]).toEqual([[], '4'])
  })

  it('returns 200 and only their own organizations to a site administrator', async () => {
    expect(await list('/user/orgs', people.root)).toEqual([])
  })

  it('returns 200 and only public memberships in public organizations for a token limited to public data', async () => {
    const holder = await makePerson(site)
    const concealed = await makeOrg(site.db, people.owner.account.id, { visibility: 'limited' })
    const shown = await makeOrg(site.db, people.owner.account.id)
    for (const org of [concealed, shown]) await addToOrg(site.db, org.id, holder.account.id, true)
    expect(await list('/user/orgs', await publicOnly(holder))).toEqual([shown.name])
    expect(await list('/user/orgs', await publicOnly(people.member))).toEqual([])
    for (const org of [concealed, shown]) await site.db.deleteFrom('users').where('id', '=', org.id).execute()
  })

  it('returns 401 without credentials', async () => {
    expect((await call(site, 'GET', '/user/orgs')).status).toBe(401)
  })
})

describe('GET /users/{username}/orgs', () => {
  const of = (person: Person, as?: Person) => list(`/users/${person.name}/orgs`, as)

  it('returns 200 and public memberships in visible organizations to strangers', async () => {
    expect(await of(people.member, people.outsider)).toEqual(['B-limited'])
    expect(await of(people.member, people.restricted)).toEqual([])
  })

  it('returns 200, including private organizations of which the caller is a member', async () => {
    expect(await of(people.owner, people.member)).toEqual(['a-public', 'B-limited', 'c-private'])
    expect(await of(people.member, people.owner)).toEqual(['a-public', 'B-limited', 'c-private'])
  })

  it('returns 200 and all organizations to the user and to site administrators', async () => {
    for (const as of [people.owner, people.root]) {
      expect(await of(people.owner, as)).toEqual(['a-public', 'B-limited', 'c-private', 'd-alone'])
    }
  })

  it('returns 200 and an empty list for an organization', async () => {
    expect(await list('/users/a-public/orgs', people.outsider)).toEqual([])
  })

  it('returns 401 without credentials', async () => {
    expect((await call(site, 'GET', `/users/${people.owner.name}/orgs`)).status).toBe(401)
  })

  it('returns 404 for an unknown name, a hidden user, and a private organization', async () => {
    const hidden = await makePerson(site, { visibility: 'private' })
    for (const name of ['nobody-here', hidden.name, 'c-private']) {
      const answer = await call(site, 'GET', `/users/${name}/orgs`, { as: people.outsider })
      expect(answer.status).toBe(404)
    }
  })
})
