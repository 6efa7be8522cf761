import { describe, expect, it } from 'vitest'
import {
  addToOrg,
  addToTeam,
  attach,
  makeOrg,
  makeRepository,
  makeTeam,
  makeUser,
} from '@/db/testing/factories'
import { Browser, signIn } from '@/testing/browser'
import { makeGitRepository } from '@/testing/git-repository'
import { makePerson } from '@/testing/people'
import { useSite } from '@/testing/site'
import { makeTeamCast } from '@/testing/team-cast'

const site = useSite()
/** More than any page of a list holds. */
const many = 51

describe('orgs.members.listPeople', () => {
  it('tells of each member whether they are an owner, however many owners there are', async () => {
    const { org, owner, member } = await makeTeamCast(site)
    const owners = { id: org.ownersTeamId, org_id: org.id }
    for (let count = 0; count < many; count++) {
      await addToTeam(site.db, owners, (await makeUser(site.db)).id)
    }
    const browser = await signIn(site, member)
    const roles: Record<string, string> = {}
    for (const page of [1, 2]) {
      const { data } = await browser.query('orgs.members.listPeople', { org: org.name, page, limit: 50 })
      for (const person of data.items) roles[person.login] = person.role
    }
    const named = Object.values(roles)
    expect(named.filter(role => role === 'owner')).toHaveLength(many + 1)
    expect(roles[owner.name]).toBe('owner')
    expect(roles[member.name]).toBe('member')
  })

  it('finds members by part of a name or full name, by role, in the order that is asked for', async () => {
    const owner = await makePerson(site)
    const org = await makeOrg(site.db, owner.account.id)
    const [bea, abe] = [
      await makeUser(site.db, { name: `bea-${org.id}`, full_name: 'Zoe 100% Case' }),
      await makeUser(site.db, { name: `abe-${org.id}`, full_name: 'Xenia' }),
    ]
    for (const { id } of [bea, abe]) await addToOrg(site.db, org.id, id)
    const browser = await signIn(site, owner)
    const found = async (choice: object) => {
      const { data } = await browser.query('orgs.members.listPeople', { org: org.name, ...choice })
      return [data.total, ...data.items.map(({ login }: { login: string }) => login)]
    }
    expect(await found({ role: 'member' })).toEqual([2, abe.name, bea.name])
    expect(await found({ role: 'owner' })).toEqual([1, owner.name])
    expect(await found({ q: 'ZOE 100%' })).toEqual([1, bea.name])
    expect(await found({ q: `-${org.id}`, sort: 'oldest' })).toEqual([2, bea.name, abe.name])
    expect(await found({ q: `-${org.id}`, sort: 'newest', limit: 1, page: 2 })).toEqual([2, bea.name])
    expect(await found({ q: `-${org.id}`, sort: 'full_name', page: 9 })).toEqual([2])
  })

  it('tells nobody outside who owns the organization', async () => {
    const owner = await makePerson(site)
    const org = await makeOrg(site.db, owner.account.id)
    await site.db
      .updateTable('organization_members')
      .set({ is_public: true })
      .where('org_id', '=', org.id)
      .execute()
    for (const browser of [new Browser(site), await signIn(site, await makePerson(site))]) {
      for (const role of ['all', 'member']) {
        const { data } = await browser.query('orgs.members.listPeople', { org: org.name, role })
        expect(data.items).toEqual([expect.objectContaining({ login: owner.name, role: null })])
      }
    }
  })
})

describe('repos.branches.browse and repos.tags.browse', () => {
  it.each(['\0', 'x'.repeat(2000), 'x'.repeat(5000), '\ud800', '%00', '*[?'])(
    'find nothing for a text that no name holds (%#), and never fail of it',
    async q => {
      const owner = await makePerson(site)
      const { name: repo } = await makeGitRepository(site, owner.account, { is_empty: false })
      const browser = await signIn(site, owner)
      for (const list of ['repos.branches.browse', 'repos.tags.browse']) {
        const answer = await browser.query(list, { owner: owner.name, repo, q })
        expect([answer.status, answer.data?.total], list).toEqual([200, 0])
      }
    },
  )
})

describe('orgs.getMyMembership', () => {
  it('tells a member of their part in the organization, and others that they have none', async () => {
    const { org, owner, member, outsider } = await makeTeamCast(site)
    const part = async (person: typeof owner) =>
      (await (await signIn(site, person)).query('orgs.getMyMembership', { org: org.name })).data
    expect(await part(owner)).toMatchObject({ organization: { name: org.name }, is_owner: true })
    expect(await part(member)).toMatchObject({ is_owner: false, is_public: false })
    expect(await part(outsider)).toBeNull()
  })
})

describe('teams.browse', () => {
  it('tells of each team whether the viewer is in it, however many they are in', async () => {
    const { root, org, inTeam, team } = await makeTeamCast(site)
    for (let count = 0; count < many; count++) {
      const other = await makeTeam(site.db, org.id)
      if (count > 0) await addToTeam(site.db, other, inTeam.account.id)
    }
    const own = async (person: typeof root) => {
      const browser = await signIn(site, person)
      const ids: number[] = []
      for (const page of [1, 2]) {
        const { data } = await browser.query('teams.browse', { org: org.name, page, limit: 50 })
        for (const one of data.items) if (one.is_member) ids.push(one.id)
      }
      return ids
    }
    const ids = await own(inTeam)
    expect(ids).toHaveLength(many)
    expect(ids).toContain(team.id)
    expect(await own(root)).toEqual([])
  })

  it('finds the teams with a text in their name, for members only', async () => {
    const { org, member, outsider } = await makeTeamCast(site)
    const wanted = await makeTeam(site.db, org.id, { name: 'Harbor masters' })
    const search = { org: org.name, q: 'bor mas' }
    const { data } = await (await signIn(site, member)).query('teams.browse', search)
    expect(data).toMatchObject({ total: 1, items: [{ id: wanted.id, is_member: false }] })
    const refused = await (await signIn(site, outsider)).query('teams.browse', search)
    expect(refused.error?.data.kind).toBe('forbidden')
  })
})

describe('teams.browseOfRepository', () => {
  it.each([
    ['may not', false],
    ['may', true],
  ])(
    'says that administrators of a repository %s change its teams as the organization has it',
    async (_, allowed) => {
      const { org, owner, inTeam, team } = await makeTeamCast(site, {
        org: { repo_admin_change_team_access: allowed },
        team: { mode: 'admin' },
      })
      const { id, name } = await makeRepository(site.db, org.id)
      await attach(site.db, team, id)
      const path = { owner: org.name, repo: name }
      const answer = async (person: typeof owner) =>
        (await (await signIn(site, person)).query('teams.browseOfRepository', path)).data
      expect(await answer(owner)).toMatchObject({
        total: 2,
        items: [{ id: org.ownersTeamId }, { id: team.id }],
        may_change: true,
      })
      expect(await answer(inTeam)).toMatchObject({ total: 2, may_change: allowed })
    },
  )

  it('never lets somebody who may only write change them', async () => {
    const { org, inTeam, team } = await makeTeamCast(site, {
      org: { repo_admin_change_team_access: true },
      team: { mode: 'write' },
      units: { 'repo.code': 'write' },
    })
    const { id, name } = await makeRepository(site.db, org.id)
    await attach(site.db, team, id)
    const browser = await signIn(site, inTeam)
    const { data } = await browser.query('teams.browseOfRepository', { owner: org.name, repo: name })
    expect(data).toMatchObject({ total: 2, may_change: false })
  })
})
