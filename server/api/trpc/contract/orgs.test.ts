import { describe, expect, it } from 'vitest'
import { addToOrg, addToTeam, attach, makeOrg, makeRepository, makeTeam } from '@/db/testing/factories'
import { Browser, signIn } from '@/testing/browser'
import { makePerson, type Person } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()
const as = (person: Person) => signIn(site, person)
const overview = async (browser: Browser, org: string) =>
  (await browser.query('orgs.getOverview', { org })).data

async function makeWorld(overrides: Parameters<typeof makeOrg>[2] = {}) {
  const [owner, member] = [await makePerson(site), await makePerson(site)]
  const org = await makeOrg(site.db, owner.account.id, overrides)
  await addToOrg(site.db, org.id, member.account.id, true)
  await makeRepository(site.db, org.id)
  const hidden = await makeRepository(site.db, org.id, { is_private: true })
  await makeRepository(site.db, org.id, { is_private: true })
  return { org, owner, member, hidden }
}

describe('orgs.getOverview', () => {
  it('returns everything to an owner', async () => {
    const { org, owner } = await makeWorld()
    expect(await overview(await as(owner), org.name)).toEqual({
      organization: expect.objectContaining({ id: org.id, name: org.name }),
      access: { is_member: true, is_owner: true, may_manage: true, may_create_repository: true },
      counts: { repositories: 3, members: 2, teams: 1 },
    })
  })

  it('counts only what the viewer can see', async () => {
    const { org, member, hidden } = await makeWorld()
    const nothing = { is_member: false, is_owner: false, may_manage: false, may_create_repository: false }
    const fromOutside = { access: nothing, counts: { repositories: 1, members: 1, teams: 0 } }
    expect(await overview(new Browser(site), org.name)).toMatchObject(fromOutside)
    expect(await overview(await as(await makePerson(site)), org.name)).toMatchObject(fromOutside)
    const browser = await as(member)
    expect(await overview(browser, org.name)).toMatchObject({
      access: { is_member: true, is_owner: false },
      counts: { repositories: 1, members: 2, teams: 1 },
    })
    const team = await makeTeam(site.db, org.id)
    await addToTeam(site.db, team, member.account.id)
    await attach(site.db, team, hidden.id)
    expect(await overview(browser, org.name)).toMatchObject({ counts: { repositories: 2, teams: 2 } })
  })

  it('counts a repository once, and not through a team without permissions on it', async () => {
    const { org, member, hidden } = await makeWorld()
    const browser = await as(member)
    const empty = await makeTeam(site.db, org.id, { mode: 'write' }, { 'repo.code': 'none' })
    await addToTeam(site.db, empty, member.account.id)
    await attach(site.db, empty, hidden.id)
    expect(await overview(browser, org.name)).toMatchObject({ counts: { repositories: 1 } })
    const admins = await makeTeam(site.db, org.id, { mode: 'admin' }, {})
    await addToTeam(site.db, admins, member.account.id)
    await attach(site.db, admins, hidden.id)
    await site.db
      .insertInto('repository_collaborators')
      .values({ repository_id: hidden.id, user_id: member.account.id, mode: 'read' })
      .execute()
    expect(await overview(browser, org.name)).toMatchObject({ counts: { repositories: 2 } })
  })

  it('counts public repositories and granted ones for restricted outsiders', async () => {
    const { org, hidden } = await makeWorld()
    const restricted = await makePerson(site, { is_restricted: true })
    const browser = await as(restricted)
    expect(await overview(browser, org.name)).toMatchObject({ counts: { repositories: 1 } })
    await site.db
      .insertInto('repository_collaborators')
      .values({ repository_id: hidden.id, user_id: restricted.account.id, mode: 'read' })
      .execute()
    expect(await overview(browser, org.name)).toMatchObject({ counts: { repositories: 2 } })
  })

  it('returns 404 for a private organization to outsiders, and management permissions to a site administrator', async () => {
    const { org } = await makeWorld({ visibility: 'private' })
    const outsider = await as(await makePerson(site))
    expect((await outsider.query('orgs.getOverview', { org: org.name })).status).toBe(404)
    const root = await as(await makePerson(site, { is_admin: true }))
    expect(await overview(root, org.name)).toMatchObject({
      access: { is_member: false, is_owner: false, may_manage: true, may_create_repository: true },
      counts: { repositories: 3, members: 2, teams: 1 },
    })
  })

  it('returns 404 with the new name after a rename', async () => {
    const { org, owner } = await makeWorld()
    const browser = await as(owner)
    const to = `${org.name}-now`
    await browser.mutate('orgs.rename', { org: org.name, new_name: to })
    const answer = await browser.query('orgs.getOverview', { org: org.name })
    expect([answer.status, answer.error?.data]).toMatchObject([404, { kind: 'moved', movedTo: to }])
  })
})

describe('orgs.listMemberships', () => {
  it('returns each organization once, with the caller’s role in it', async () => {
    const ada = await makePerson(site)
    const owned = await makeOrg(site.db, ada.account.id, { name: 'mine-b', visibility: 'private' })
    const joined = await makeOrg(site.db, (await makePerson(site)).account.id, { name: 'Mine-A' })
    const creating = await makeOrg(site.db, (await makePerson(site)).account.id, { name: 'mine-c' })
    await addToOrg(site.db, joined.id, ada.account.id, true)
    for (const can_create_org_repo of [false, true]) {
      await addToTeam(site.db, await makeTeam(site.db, creating.id, { can_create_org_repo }), ada.account.id)
    }
    const { data } = await (await as(ada)).query('orgs.listMemberships')
    expect(data).toEqual([
      {
        organization: expect.objectContaining({ id: joined.id }),
        is_owner: false,
        is_public: true,
        may_create_repository: false,
      },
      {
        organization: expect.objectContaining({ id: owned.id, visibility: 'private' }),
        is_owner: true,
        is_public: false,
        may_create_repository: true,
      },
      {
        organization: expect.objectContaining({ id: creating.id }),
        is_owner: false,
        is_public: false,
        may_create_repository: true,
      },
    ])
  })

  it('returns 401 to visitors who are not signed in', async () => {
    expect((await new Browser(site).query('orgs.listMemberships')).status).toBe(401)
  })
})
