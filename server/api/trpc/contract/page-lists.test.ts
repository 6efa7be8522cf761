import { describe, expect, it } from 'vitest'
import {
  addToOrg,
  addToTeam,
  attach,
  makeOrg,
  makeRelease,
  makeRepository,
  makeTeam,
  makeUser,
} from '@/db/testing/factories'
import { Browser, signIn } from '@/testing/browser'
import { gitOk } from '@/testing/git'
import {
  type GitRepository,
  makeCommittedRepository,
  makeGitRepository,
  recordedEvents,
  refsOf,
} from '@/testing/git-repository'
import { makePerson } from '@/testing/people'
import { useSite } from '@/testing/site'
import { makeTeamCast } from '@/testing/team-cast'

const site = useSite()
/** More than the maximum page size of lists. */
const many = 51

describe('orgs.members.listPeople', () => {
  it('returns whether each member is an owner, however many owners there are', async () => {
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

  it('finds members by part of a name or full name and by role, in the requested order', async () => {
    const owner = await makePerson(site)
    const org = await makeOrg(site.db, owner.account.id)
    const [bea, abe] = [
      await makeUser(site.db, { name: `bea-of-${org.id}`, full_name: 'Zoe 100% Case' }),
      await makeUser(site.db, { name: `abe-of-${org.id}`, full_name: 'Xenia' }),
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
    expect(await found({ q: `-of-${org.id}`, sort: 'oldest' })).toEqual([2, bea.name, abe.name])
    expect(await found({ q: `-of-${org.id}`, sort: 'newest', limit: 1, page: 2 })).toEqual([2, bea.name])
    expect(await found({ q: `-of-${org.id}`, sort: 'full_name', page: 9 })).toEqual([2])
  })

  it('does not show outsiders who owns the organization', async () => {
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
    'return an empty list for a text that no name contains (%#)',
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

describe('repos.tags.browse', () => {
  it('marks tags with a release, and those with a draft only for users who can write releases', async () => {
    const [owner, reader] = [await makePerson(site), await makePerson(site)]
    const { id, name: repo, directory } = await makeCommittedRepository(site, owner.account)
    for (const tag of ['v1.9', 'v1.10', 'v2.0-rc1']) await gitOk(['tag', tag, 'main'], { cwd: directory })
    await makeRelease(site.db, id, { tag_name: 'V1.9' })
    await makeRelease(site.db, id, { tag_name: 'v2.0-rc1', is_draft: true })
    const shown = async (person: typeof owner, choice: object) => {
      const input = { owner: owner.name, repo, ...choice }
      const { data } = await (await signIn(site, person)).query('repos.tags.browse', input)
      return data.items.map((tag: { name: string; is_released: boolean }) => [tag.name, tag.is_released])
    }
    const [rc, ten, nine] = ['v2.0-rc1', 'v1.10', 'v1.9']
    expect(await shown(owner, {})).toEqual([
      [rc, true],
      [ten, false],
      [nine, true],
    ])
    expect(await shown(reader, { sort: 'name' })).toEqual([
      [ten, false],
      [nine, true],
      [rc, false],
    ])
  })
})

describe('repos.tags.browse with a text', () => {
  it('returns the exact match first, however many newer tags contain the text', async () => {
    const owner = await makePerson(site)
    const { name: repo, directory: cwd } = await makeCommittedRepository(site, owner.account)
    for (let patch = 0; patch < 9; patch++) await gitOk(['tag', `v1.${patch}`, 'main'], { cwd })
    await gitOk(['tag', 'v1', 'main'], { cwd })
    const input = { owner: owner.name, repo, q: 'v1', limit: 8 }
    const { data } = await (await signIn(site, owner)).query('repos.tags.browse', input)
    expect(data.items.map(({ name }: { name: string }) => name).slice(0, 2)).toEqual(['v1', 'v1.8'])
    expect(data.total).toBe(10)
  })
})

describe('repos.deleteRefs', () => {
  async function makeScene() {
    const owner = await makePerson(site)
    const repository = await makeCommittedRepository(site, owner.account)
    const { directory: cwd, commit } = repository
    for (const name of ['a', 'b', 'c']) await gitOk(['branch', name, 'main'], { cwd })
    const browser = await signIn(site, owner)
    const path = { owner: owner.name, repo: repository.name, kind: 'branch' }
    const remove = (input: object) => browser.mutate('repos.deleteRefs', { ...path, ...input })
    return { repository, cwd, commit, remove }
  }
  const branchesOf = async (repository: GitRepository) =>
    Object.keys(await refsOf(repository)).map(ref => ref.slice('refs/heads/'.length))

  it('deletes several branches, returns their commits, and skips those already deleted', async () => {
    const { repository, commit, remove } = await makeScene()
    const { data } = await remove({ names: ['a', 'gone', 'b'], expected: [commit, commit, commit] })
    expect(data).toEqual([
      { name: 'a', sha: commit },
      { name: 'b', sha: commit },
    ])
    expect(await branchesOf(repository)).toEqual(['c', 'main'])
    const events = await recordedEvents(site, repository)
    expect(events.map(event => [event.kind, event.facts.ref])).toEqual([
      ['ref.deleted', 'refs/heads/a'],
      ['ref.deleted', 'refs/heads/b'],
    ])
    const again = await remove({ names: ['a', 'b'] })
    expect(again.error?.data).toMatchObject({ kind: 'notFound', reason: { code: 'gone', what: 'branch' } })
  })

  it('deletes nothing if one ref has changed since the page showed it, or cannot be deleted', async () => {
    const { repository, cwd, commit, remove } = await makeScene()
    const tree = await gitOk(['rev-parse', 'main^{tree}'], { cwd })
    await gitOk(['update-ref', 'refs/heads/b', await gitOk(['commit-tree', tree, '-m', 'New'], { cwd })], {
      cwd,
    })
    const moved = await remove({ names: ['a', 'b'], expected: [commit, commit] })
    expect(moved.error?.data).toMatchObject({ kind: 'conflict', reason: { code: 'refMoved', name: 'b' } })
    const first = await remove({ names: ['a', 'main'] })
    expect(first.error?.data).toMatchObject({ kind: 'forbidden', reason: { code: 'defaultBranchStays' } })
    expect(await branchesOf(repository)).toEqual(['a', 'b', 'c', 'main'])
    expect(await recordedEvents(site, repository)).toEqual([])
  })

  it('accepts up to 100 names, with the expected commit for all or none', async () => {
    const { commit, remove } = await makeScene()
    for (const input of [
      { names: [] },
      { names: Array.from({ length: 101 }, (_, index) => `n${index}`) },
      { names: ['a', 'b'], expected: [commit] },
      { names: ['a'], expected: ['main'] },
      { names: ['a\nb'] },
    ]) {
      expect((await remove(input)).error?.data.kind).toBe('invalid')
    }
  })
})

describe('orgs.getMyMembership', () => {
  it('returns a member’s role in the organization, and null for others', async () => {
    const { org, owner, member, outsider } = await makeTeamCast(site)
    const part = async (person: typeof owner) =>
      (await (await signIn(site, person)).query('orgs.getMyMembership', { org: org.name })).data
    expect(await part(owner)).toMatchObject({ organization: { name: org.name }, is_owner: true })
    expect(await part(member)).toMatchObject({ is_owner: false, is_public: false })
    expect(await part(outsider)).toBeNull()
  })
})

describe('teams.browse', () => {
  it('returns for each team whether the viewer is a member, however many teams there are', async () => {
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

  it('finds teams by part of the name, for members only', async () => {
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
    ['cannot', false],
    ['can', true],
  ])(
    'says that administrators of a repository %s change its teams, as set in the organization',
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

  it('does not let users with only write permission change the teams', async () => {
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
