import { describe, expect, it } from 'vitest'
import { addToTeam, makeOrg, makeTeam } from '@/db/testing/factories'
import { type Answer, call } from '@/testing/call'
import { makePerson, type Person } from '@/testing/people'
import { useSite } from '@/testing/site'
import { answersTo, makeTeamCast, refusals } from '@/testing/team-cast'

const site = useSite()

async function makeOrgToSearch() {
  const root = await makePerson(site, { is_admin: true })
  const owner = await makePerson(site)
  const org = await makeOrg(site.db, owner.account.id)
  const teams = [
    ['Builders', 'They build with wood.'],
    ['carpenters', 'Also BUILD.'],
    ['100%_sure', 'back\\slash'],
    ['Zen', ''],
  ].map(([name, description]) => makeTeam(site.db, org.id, { name: name as string, description }))
  return { root, owner, org, teams: await Promise.all(teams) }
}

async function search(
  as: Person,
  org: { name: string },
  query: Record<string, string> = {},
): Promise<Answer> {
  return await call(site, 'GET', `/orgs/${org.name}/teams/search?${new URLSearchParams(query)}`, { as })
}

const found = ({ status, body, headers }: Answer) => {
  expect([status, body.ok]).toEqual([200, true])
  const names = body.data.map((team: { name: string }) => team.name)
  expect(headers.get('x-total-count')).toBe(String(names.length))
  return names
}

describe('GET /orgs/{org}/teams/search', () => {
  it('returns 200 to members, owners, and site administrators, 403 to others, and 404 if the organization is hidden', async () => {
    const { root, owner, inTeam, member, outsider, org } = await makeTeamCast(site)
    const people = [root, owner, inTeam, member, outsider, undefined]
    expect(await answersTo(site, 'GET', `/orgs/${org.name}/teams/search?q=x`, people)).toEqual([
      [200, undefined],
      [200, undefined],
      [200, undefined],
      [200, undefined],
      refusals.notInOrg,
      refusals.anonymous,
    ])
    const hidden = await makeTeamCast(site, { org: { visibility: 'private' } })
    for (const name of [hidden.org.name, 'no-such-org', owner.name]) {
      const path = `/orgs/${name}/teams/search`
      expect(await answersTo(site, 'GET', path, [outsider])).toEqual([refusals.hidden])
    }
  })

  it('returns 200 and all teams with a matching name or description to site administrators, ignoring case', async () => {
    const { root, org } = await makeOrgToSearch()
    expect(found(await search(root, org, { q: 'build' }))).toEqual(['Builders', 'carpenters'])
    expect(found(await search(root, org, { q: ' CARP ' }))).toEqual(['carpenters'])
    expect(found(await search(root, org, { q: 'nothing like it' }))).toEqual([])
    expect(found(await search(root, org))).toEqual(['Owners', '100%_sure', 'Builders', 'carpenters', 'Zen'])
    expect(found(await search(root, org, { q: '  ' }))).toHaveLength(5)
  })

  it('returns 200 and the complete team with its organization', async () => {
    const { root, org, teams } = await makeOrgToSearch()
    const { body } = await search(root, org, { q: 'Zen' })
    const { body: team } = await call(site, 'GET', `/teams/${teams[3]?.id}`, { as: root })
    expect(body).toEqual({ ok: true, data: [team] })
  })

  it.each([
    ['', ['Builders', 'carpenters']],
    ['true', ['Builders', 'carpenters']],
    ['1', ['Builders', 'carpenters']],
    ['false', ['Builders']],
    ['0', ['Builders']],
    ['nonsense', ['Builders']],
  ])('returns 200 and searches descriptions or not for include_desc=%s', async (include_desc, expected) => {
    const { root, org } = await makeOrgToSearch()
    expect(found(await search(root, org, { q: 'build', include_desc }))).toEqual(expected)
  })

  it('returns 200 and treats SQL wildcards literally', async () => {
    const { root, org } = await makeOrgToSearch()
    for (const q of ['%', '_', '\\']) expect(found(await search(root, org, { q }))).toEqual(['100%_sure'])
    expect(found(await search(root, org, { q: "' or 1=1 --" }))).toEqual([])
    expect(found(await search(root, org, { q: 'x'.repeat(5000) }))).toEqual([])
  })

  it('returns 200 and only the caller’s teams to everyone else, even owners', async () => {
    const { owner, org, teams } = await makeOrgToSearch()
    const ada = await makePerson(site)
    for (const team of teams.slice(1, 3)) await addToTeam(site.db, team, ada.account.id)
    expect(found(await search(ada, org))).toEqual(['100%_sure', 'carpenters'])
    expect(found(await search(ada, org, { q: 'build' }))).toEqual(['carpenters'])
    expect(found(await search(ada, org, { q: 'zen' }))).toEqual([])
    expect(found(await search(owner, org, { q: 'build' }))).toEqual([])
    expect(found(await search(owner, org))).toEqual(['Owners'])
  })

  it('returns 200 and pages with count and links', async () => {
    const { root, org } = await makeOrgToSearch()
    for (const query of [{ q: 'build' }, { q: '' }]) {
      const total = query.q ? '2' : '5'
      const second = await search(root, org, { ...query, page: '2', limit: '1' })
      expect([second.body.data.length, second.headers.get('x-total-count')]).toEqual([1, total])
      expect(second.headers.get('link')).toContain(
        `<${site.url}/api/v1/orgs/${org.name}/teams/search?limit=1&page=1&q=${query.q}>; rel="prev"`,
      )
      const past = await search(root, org, { ...query, page: '9' })
      expect([past.body, past.headers.get('x-total-count')]).toEqual([{ ok: true, data: [] }, total])
    }
  })

  it('documents its 500 and its schema in the OpenAPI document, as does POST /orgs/{org}/teams', async () => {
    const { body } = await call(site, 'GET', '/openapi.json')
    const { responses } = body.paths['/orgs/{org}/teams/search'].get
    expect(responses['500'].content['application/json'].schema.required).toEqual(['ok', 'error'])
    expect(body.paths['/orgs/{org}/teams'].post.responses['500'].description).toMatch(/no unit/)
  })
})
