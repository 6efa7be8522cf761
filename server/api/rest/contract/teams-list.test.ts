import { describe, expect, it } from 'vitest'
import { addToTeam, makeOrg, makeTeam } from '@/db/testing/factories'
import { call } from '@/testing/call'
import { makePerson, makeToken } from '@/testing/people'
import { useSite } from '@/testing/site'
import { answersTo, makeTeamCast, refusals, statusAndMessage } from '@/testing/team-cast'

const site = useSite()

const names = (answer: { body: { name: string }[] }) => answer.body.map(team => team.name)

describe('GET /orgs/{org}/teams', () => {
  it('returns 200 to members, owners, and site administrators, 403 to others, and 401 without credentials', async () => {
    const { root, owner, inTeam, member, outsider, org } = await makeTeamCast(site)
    const path = `/orgs/${org.name.toUpperCase()}/teams`
    expect(await answersTo(site, 'GET', path, [root, owner, inTeam, member, outsider, undefined])).toEqual([
      [200, undefined],
      [200, undefined],
      [200, undefined],
      [200, undefined],
      refusals.notInOrg,
      refusals.anonymous,
    ])
  })

  it('returns 200 and the Owners team first, then by name ignoring case, with count and links', async () => {
    const owner = await makePerson(site)
    const org = await makeOrg(site.db, owner.account.id)
    for (const name of ['beta', 'Alpha', 'alpine', 'Zeta']) await makeTeam(site.db, org.id, { name })
    const path = `/orgs/${org.name}/teams`
    const all = await call(site, 'GET', path, { as: owner })
    expect(names(all)).toEqual(['Owners', 'Alpha', 'alpine', 'beta', 'Zeta'])
    expect([all.headers.get('x-total-count'), all.headers.get('link')]).toEqual(['5', null])
    const second = await call(site, 'GET', `${path}?page=2&limit=2`, { as: owner })
    expect(names(second)).toEqual(['alpine', 'beta'])
    expect(second.headers.get('x-total-count')).toBe('5')
    expect(second.headers.get('link')).toContain(`<${site.url}/api/v1${path}?limit=2&page=3>; rel="next"`)
    const past = await call(site, 'GET', `${path}?page=9&limit=2`, { as: owner })
    expect([past.body, past.headers.get('x-total-count')]).toEqual([[], '5'])
  })

  it('returns 200 and each team with its organization, units, and permissions', async () => {
    const { owner, org, team } = await makeTeamCast(site, {
      team: { mode: 'read', description: 'builds things' },
      units: { 'repo.wiki': 'write', 'repo.code': 'read', 'repo.pulls': 'none' },
    })
    const { body } = await call(site, 'GET', `/orgs/${org.name}/teams`, { as: owner })
    expect(body[1]).toEqual({
      id: team.id,
      name: team.name,
      description: 'builds things',
      organization: expect.objectContaining({ id: org.id, name: org.name, username: org.name }),
      includes_all_repositories: false,
      permission: 'read',
      units: ['repo.code', 'repo.pulls', 'repo.wiki'],
      units_map: { 'repo.code': 'read', 'repo.pulls': 'none', 'repo.wiki': 'write' },
      can_create_org_repo: false,
    })
    expect(body[0]).toMatchObject({ name: 'Owners', permission: 'owner', can_create_org_repo: true })
    expect(body[0].units).toHaveLength(10)
    expect(body[0].units_map).toMatchObject({ 'repo.code': 'owner', 'repo.ext_issues': 'read' })
  })

  it('returns 404 for an organization that is absent or hidden, and for a user', async () => {
    const { outsider, owner, org } = await makeTeamCast(site, { org: { visibility: 'private' } })
    for (const name of ['no-such-org', org.name, owner.name]) {
      expect(await answersTo(site, 'GET', `/orgs/${name}/teams`, [outsider])).toEqual([refusals.hidden])
    }
  })

  it('returns 403 for a token without the scope, or limited to public data in a hidden organization', async () => {
    const { owner, org } = await makeTeamCast(site, { org: { visibility: 'limited' } })
    const path = `/orgs/${org.name}/teams`
    const unfit = await makeToken(site, owner.account.id, ['read:user'])
    expect((await call(site, 'GET', path, { as: { token: unfit } })).status).toBe(403)
    const publicOnly = await makeToken(site, owner.account.id, ['public-only', 'read:organization'])
    expect(statusAndMessage(await call(site, 'GET', path, { as: { token: publicOnly } }))).toEqual([
      403,
      'token scope is limited to public orgs',
    ])
  })
})

describe('GET /user/teams', () => {
  it("returns 200 and exactly the caller's teams of all organizations, Owners teams first, then by name", async () => {
    const ada = await makePerson(site)
    const first = await makeTeamCast(site, { team: { name: 'builders' } })
    const second = await makeTeamCast(site, { team: { name: 'Artists' } })
    await addToTeam(site.db, first.team, ada.account.id)
    await addToTeam(site.db, second.team, ada.account.id)
    const own = await makeOrg(site.db, ada.account.id)
    const answer = await call(site, 'GET', '/user/teams', { as: ada })
    expect(names(answer)).toEqual(['Owners', 'Artists', 'builders'])
    expect(answer.body.map((team: { organization: { id: number } }) => team.organization.id)).toEqual([
      own.id,
      second.org.id,
      first.org.id,
    ])
    expect(answer.headers.get('x-total-count')).toBe('3')
    const page = await call(site, 'GET', '/user/teams?page=2&limit=1', { as: ada })
    expect([names(page), page.headers.get('x-total-count')]).toEqual([['Artists'], '3'])
    expect(page.headers.get('link')).toContain('rel="next"')
    const past = await call(site, 'GET', '/user/teams?page=7', { as: ada })
    expect([past.body, past.headers.get('x-total-count')]).toEqual([[], '3'])
  })

  it('returns 200 and an empty list for a user without teams', async () => {
    const answer = await call(site, 'GET', '/user/teams', { as: await makePerson(site) })
    expect([answer.body, answer.headers.get('x-total-count')]).toEqual([[], '0'])
  })

  it('returns 401 without credentials, and 403 for a token limited to public data', async () => {
    expect(statusAndMessage(await call(site, 'GET', '/user/teams'))).toEqual(refusals.anonymous)
    const ada = await makePerson(site)
    const token = await makeToken(site, ada.account.id, ['public-only', 'read:user'])
    expect(statusAndMessage(await call(site, 'GET', '/user/teams', { as: { token } }))).toEqual([
      403,
      'this endpoint is not available for public-only tokens',
    ])
  })
})

describe('GET /teams/{id}', () => {
  it('returns 200 to team members, owners, and site administrators, 403 to other members, and 404 to outsiders', async () => {
    const { root, owner, inTeam, member, outsider, team } = await makeTeamCast(site)
    const people = [root, owner, inTeam, member, outsider, undefined]
    expect(await answersTo(site, 'GET', `/teams/${team.id}`, people)).toEqual([
      [200, undefined],
      [200, undefined],
      [200, undefined],
      refusals.notInTeam,
      refusals.hidden,
      refusals.anonymous,
    ])
  })

  it('returns 200 and the team with its organization to any team member', async () => {
    const { inTeam, team, org } = await makeTeamCast(site, { org: { visibility: 'private' } })
    const { body } = await call(site, 'GET', `/teams/${team.id}`, { as: inTeam })
    expect(body).toMatchObject({ id: team.id, organization: { id: org.id, visibility: 'private' } })
  })

  it('returns 404 for a team that does not exist, and for an invalid ID', async () => {
    const { root } = await makeTeamCast(site)
    for (const id of ['999999999', '0', 'abc', '-1']) {
      expect(await answersTo(site, 'GET', `/teams/${id}`, [root])).toEqual([refusals.hidden])
    }
  })
})

describe('GET /teams/{id} with a token limited to public data', () => {
  it('returns 403 to members of a hidden organization, and the 404 of an unknown team to outsiders', async () => {
    const { outsider, member, team } = await makeTeamCast(site, { org: { visibility: 'limited' } })
    const ask = async ({ account }: typeof member, id: number) => {
      const token = await makeToken(site, account.id, ['public-only', 'read:organization'])
      return statusAndMessage(await call(site, 'GET', `/teams/${id}`, { as: { token } }))
    }
    const absent = 2 ** 31 - 1
    expect(await ask(outsider, team.id)).toEqual(await ask(outsider, absent))
    expect(await ask(outsider, team.id)).toEqual(refusals.hidden)
    expect(await ask(member, team.id)).toEqual([403, 'token scope is limited to public orgs'])
  })
})
