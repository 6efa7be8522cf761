import { describe, expect, it } from 'vitest'
import { addToOrg, addToTeam, attach, makeOrg, makeRepository, makeTeam } from '@/db/testing/factories'
import { type Answer, type CallOptions, call } from '@/testing/call'
import { countQueries } from '@/testing/count-queries'
import { makePerson, makeToken, type Person } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()
const list = (path: string, as?: CallOptions['as']): Promise<Answer> => call(site, 'GET', path, { as })
const namesOf = (answer: Answer): string[] => answer.body.map((entry: { name: string }) => entry.name)
const counted = (answer: Answer) => [namesOf(answer), answer.headers.get('x-total-count')]

async function collaborate(repository_id: number, person: Person): Promise<void> {
  await site.db
    .insertInto('repository_collaborators')
    .values({ repository_id, user_id: person.account.id, mode: 'read' })
    .execute()
}

/** Creates an organization with two public and two private repositories; one of each belongs to a team. */
async function makePeopled() {
  const [owner, member, reader, collaborator, outsider, root] = [
    await makePerson(site),
    await makePerson(site),
    await makePerson(site),
    await makePerson(site),
    await makePerson(site),
    await makePerson(site, { is_admin: true }),
  ]
  const restricted = await makePerson(site, { is_restricted: true })
  const org = await makeOrg(site.db, owner.account.id)
  await addToOrg(site.db, org.id, member.account.id)
  const team = await makeTeam(site.db, org.id)
  await addToTeam(site.db, team, reader.account.id)
  const make = (name: string, is_private: boolean) => makeRepository(site.db, org.id, { name, is_private })
  const b = await make('b-private', true)
  await make('D-public', false)
  const a = await make('A-public', false)
  const c = await make('c-private', true)
  await attach(site.db, team, a.id)
  await attach(site.db, team, b.id)
  await collaborate(c.id, collaborator)
  await collaborate(a.id, collaborator)
  await collaborate(a.id, restricted)
  return { org, owner, member, reader, collaborator, outsider, restricted, root }
}

describe('GET /orgs/{org}/repos', () => {
  it('needs two queries for visitors, because the owner of all entries is known', async () => {
    const { org } = await makePeopled()
    const queries = countQueries(site)
    expect((await list(`/orgs/${org.name}/repos`)).body).toHaveLength(2)
    expect(queries.all).toBe(2)
  })

  it('returns 200 and the repositories visible to the caller, by name ignoring case, with their count', async () => {
    const { org, ...people } = await makePeopled()
    const path = `/orgs/${org.name}/repos`
    const open = ['A-public', 'D-public']
    const all = ['A-public', 'b-private', 'c-private', 'D-public']
    expect(counted(await list(path))).toEqual([open, '2'])
    expect(counted(await list(path, people.outsider))).toEqual([open, '2'])
    expect(counted(await list(path, people.member))).toEqual([open, '2'])
    expect(counted(await list(path, people.reader))).toEqual([['A-public', 'b-private', 'D-public'], '3'])
    expect(counted(await list(path, people.collaborator))).toEqual([
      ['A-public', 'c-private', 'D-public'],
      '3',
    ])
    expect(counted(await list(path, people.restricted))).toEqual([open, '2'])
    expect(counted(await list(path, people.owner))).toEqual([all, '4'])
    expect(counted(await list(path, people.root))).toEqual([all, '4'])
  })

  it('returns 200 and pages without gaps or overlaps for every caller, and an empty page with the true count past the end', async () => {
    const { org, owner, reader } = await makePeopled()
    for (const [as, expected] of [
      [undefined, ['A-public', 'D-public']],
      [reader, ['A-public', 'b-private', 'D-public']],
      [owner, ['A-public', 'b-private', 'c-private', 'D-public']],
    ] as const) {
      const names: string[] = []
      for (const [index] of expected.entries()) {
        const answer = await list(`/orgs/${org.name}/repos?limit=1&page=${index + 1}`, as)
        names.push(...namesOf(answer))
      }
      expect(names).toEqual(expected)
      const past = await list(`/orgs/${org.name}/repos?limit=1&page=99`, as)
      expect(counted(past)).toEqual([[], String(expected.length)])
    }
  })

  it('returns 200 and the existing pages in Link', async () => {
    const { org } = await makePeopled()
    const answer = await list(`/orgs/${org.name}/repos?limit=1`)
    const next = `${site.url}/api/v1/orgs/${org.name}/repos?limit=1&page=2`
    expect(answer.headers.get('link')).toBe(`<${next}>; rel="next",<${next}>; rel="last"`)
  })

  it('returns 200 and all repositories to members of a team that has every repository', async () => {
    const { org, member } = await makePeopled()
    const team = await makeTeam(site.db, org.id, { includes_all_repositories: true })
    const repositories = await site.db
      .selectFrom('repositories')
      .select('id')
      .where('owner_id', '=', org.id)
      .execute()
    for (const { id } of repositories) await attach(site.db, team, id)
    await addToTeam(site.db, team, member.account.id)
    const answer = await list(`/orgs/${org.name}/repos`, member)
    expect(counted(answer)).toEqual([['A-public', 'b-private', 'c-private', 'D-public'], '4'])
    expect(answer.body.map((entry: { permissions: unknown }) => entry.permissions)).toContainEqual({
      admin: false,
      push: false,
      pull: true,
    })
  })

  it('returns 200 and only public repositories for a token limited to public data, even an owner’s', async () => {
    const { org, owner } = await makePeopled()
    const token = await makeToken(site, owner.account.id, ['public-only', 'all'])
    expect(counted(await list(`/orgs/${org.name}/repos`, { token }))).toEqual([['A-public', 'D-public'], '2'])
  })

  it('returns 403 for a token without organization scope', async () => {
    const { org, owner } = await makePeopled()
    const token = await makeToken(site, owner.account.id, ['all'])
    const wrong = await makeToken(site, owner.account.id, ['read:repository'])
    expect((await list(`/orgs/${org.name}/repos`, { token })).status).toBe(200)
    expect((await list(`/orgs/${org.name}/repos`, { token: wrong })).status).toBe(403)
  })

  it('returns 404 for an organization that is hidden or absent, and for a user', async () => {
    const [owner, outsider] = [await makePerson(site), await makePerson(site)]
    const org = await makeOrg(site.db, owner.account.id, { visibility: 'private' })
    for (const name of [org.name, 'nobody-here', owner.name]) {
      expect((await list(`/orgs/${name}/repos`, outsider)).status).toBe(404)
    }
    expect((await list(`/orgs/${org.name}/repos`, owner)).status).toBe(200)
  })
})

describe('GET /users/{username}/repos', () => {
  it('returns 200 and the user’s repositories visible to the caller', async () => {
    const [owner, collaborator, outsider] = [
      await makePerson(site, { visibility: 'limited' }),
      await makePerson(site),
      await makePerson(site),
    ]
    const secret = await makeRepository(site.db, owner.account.id, { name: 'secret', is_private: true })
    await makeRepository(site.db, owner.account.id, { name: 'open' })
    await makeRepository(site.db, owner.account.id, { name: 'hidden', is_private: true })
    await collaborate(secret.id, collaborator)
    const path = `/users/${owner.name.toUpperCase()}/repos`
    expect(counted(await list(path, outsider))).toEqual([['open'], '1'])
    expect(counted(await list(path, collaborator))).toEqual([['open', 'secret'], '2'])
    expect(counted(await list(path, owner))).toEqual([['hidden', 'open', 'secret'], '3'])
    expect((await list(path)).status).toBe(404)
  })

  it('returns 200 for an organization, too, as existing clients expect', async () => {
    const { org, reader } = await makePeopled()
    expect(counted(await list(`/users/${org.name}/repos`, reader))).toEqual([
      ['A-public', 'b-private', 'D-public'],
      '3',
    ])
  })

  it('returns 404 for a user who is hidden or unknown', async () => {
    const [hidden, outsider] = [await makePerson(site, { visibility: 'private' }), await makePerson(site)]
    for (const name of [hidden.name, 'nobody-here']) {
      expect((await list(`/users/${name}/repos`, outsider)).status).toBe(404)
    }
  })

  it('returns 403 for a token without user and repository scope', async () => {
    const ada = await makePerson(site)
    for (const [scopes, status] of [
      [['read:user'], 403],
      [['read:repository'], 403],
      [['read:user', 'read:repository'], 200],
    ] as const) {
      const token = await makeToken(site, ada.account.id, [...scopes])
      expect((await list(`/users/${ada.name}/repos`, { token })).status).toBe(status)
    }
  })
})

describe('GET /user/repos', () => {
  it('returns 200 and the caller’s own and shared repositories by name, each once', async () => {
    const ada = await makePerson(site)
    const { org, owner } = await makePeopled()
    const stranger = await makePerson(site)
    await makeRepository(site.db, ada.account.id, { name: 'c-own', is_private: true })
    await makeRepository(site.db, ada.account.id, { name: 'A-own' })
    const shared = await makeRepository(site.db, stranger.account.id, { name: 'b-shared', is_private: true })
    await makeRepository(site.db, stranger.account.id, { name: 'not-shared' })
    await collaborate(shared.id, ada)
    const [one, two] = [await makeTeam(site.db, org.id), await makeTeam(site.db, org.id)]
    const ofTeams = await makeRepository(site.db, org.id, { name: 'd-of-teams' })
    for (const team of [one, two]) {
      await addToTeam(site.db, team, ada.account.id)
      await attach(site.db, team, ofTeams.id)
    }
    expect(counted(await list('/user/repos', ada))).toEqual([
      ['A-own', 'b-shared', 'c-own', 'd-of-teams'],
      '4',
    ])
    const pages = await Promise.all([1, 2, 3].map(page => list(`/user/repos?limit=2&page=${page}`, ada)))
    expect(pages.map(counted)).toEqual([
      [['A-own', 'b-shared'], '4'],
      [['c-own', 'd-of-teams'], '4'],
      [[], '4'],
    ])
    expect(counted(await list('/user/repos', owner))).toEqual([
      ['A-public', 'b-private', 'c-private', 'd-of-teams', 'D-public'],
      '5',
    ])
  })

  it('returns 200 without repositories of teams without permissions, and no others to site administrators', async () => {
    const [ada, root] = [await makePerson(site), await makePerson(site, { is_admin: true })]
    const { org } = await makePeopled()
    const team = await makeTeam(site.db, org.id, {}, { 'repo.code': 'none' })
    await addToTeam(site.db, team, ada.account.id)
    await attach(site.db, team, (await makeRepository(site.db, org.id)).id)
    for (const as of [ada, root]) expect(counted(await list('/user/repos', as))).toEqual([[], '0'])
  })

  it('returns 200 and only public repositories of public owners for a token limited to public data', async () => {
    const ada = await makePerson(site)
    const { org, owner } = await makePeopled()
    const limited = await makePerson(site, { visibility: 'limited' })
    await makeRepository(site.db, ada.account.id, { name: 'own' })
    await makeRepository(site.db, ada.account.id, { name: 'own-private', is_private: true })
    const shared = await makeRepository(site.db, limited.account.id, { name: 'of-limited' })
    await collaborate(shared.id, ada)
    const open = await makeRepository(site.db, org.id, { name: 'of-org' })
    await collaborate(open.id, ada)
    const token = await makeToken(site, ada.account.id, ['public-only', 'all'])
    expect(counted(await list('/user/repos', { token }))).toEqual([['of-org', 'own'], '2'])
    const owners = await makeToken(site, owner.account.id, ['public-only', 'all'])
    expect(counted(await list('/user/repos', { token: owners }))).toEqual([
      ['A-public', 'D-public', 'of-org'],
      '3',
    ])
  })

  it('returns 401 without credentials', async () => {
    expect((await list('/user/repos')).status).toBe(401)
  })
})
