import { rename, rm } from 'node:fs/promises'
import { describe, expect, it } from 'vitest'
import { addToTeam, attach, makeOrg, makeRepository, makeTeam } from '@/db/testing/factories'
import { Browser, signIn } from '@/testing/browser'
import { call } from '@/testing/call'
import { gitOk } from '@/testing/git'
import { makeGitRepository } from '@/testing/git-repository'
import { makePerson, type Person } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()

interface Explained {
  unit: string
  mode: string
  reasons: { source: string }[]
}

async function makeTeamed() {
  const [owner, reader, outsider] = [await makePerson(site), await makePerson(site), await makePerson(site)]
  const org = await makeOrg(site.db, owner.account.id)
  const repository = await makeRepository(site.db, org.id)
  const team = await makeTeam(
    site.db,
    org.id,
    { mode: 'none' },
    { 'repo.code': 'write', 'repo.wiki': 'admin' },
  )
  await addToTeam(site.db, team, reader.account.id)
  await attach(site.db, team, repository.id)
  await site.db
    .insertInto('repository_collaborators')
    .values({ repository_id: repository.id, user_id: reader.account.id, mode: 'read' })
    .execute()
  const path = { owner: org.name, repo: repository.name }
  const explain = async (as: Person, about: Person | string) =>
    (await signIn(site, as)).query('repos.explainAccess', {
      ...path,
      username: typeof about === 'string' ? about : about.name,
    })
  return { owner, reader, outsider, org, repository, team, path, explain }
}

describe('repos.explainAccess', () => {
  it('returns what a user can do with each unit and all reasons, the strongest first', async () => {
    const { owner, reader, team, explain } = await makeTeamed()
    const { data } = await explain(owner, reader)
    expect(data.user.login).toBe(reader.name)
    expect(data.mode).toBe('read')
    const units = Object.fromEntries(data.units.map((entry: Explained) => [entry.unit, entry]))
    expect(Object.keys(units)).toHaveLength(10)
    const byTeam = (mode: string) => ({ source: 'team', mode, team: { id: team.id, name: team.name } })
    const read = [
      { source: 'collaborator', mode: 'read' },
      { source: 'public', mode: 'read' },
    ]
    expect(units['repo.code']).toEqual({
      unit: 'repo.code',
      mode: 'write',
      reasons: [byTeam('write'), ...read],
    })
    expect(units['repo.wiki'].reasons[0]).toEqual(byTeam('admin'))
    expect(units['repo.issues']).toEqual({ unit: 'repo.issues', mode: 'read', reasons: read })
  })

  it('says that a user can push only if their account is usable and the repository is not archived', async () => {
    const { owner, reader, outsider, repository, path, explain } = await makeTeamed()
    const pushOf = async (about: Person) => (await explain(owner, about)).data.push
    const set = (values: { prohibit_login?: boolean; is_active?: boolean; must_change_password?: boolean }) =>
      site.db.updateTable('users').set(values).where('id', '=', reader.account.id).execute()
    expect(await pushOf(reader)).toEqual({ allowed: true, reason: null, account: null })
    expect(await pushOf(outsider)).toEqual({ allowed: false, reason: 'access', account: null })
    for (const [account, unusable, usable] of [
      ['locked', { prohibit_login: true }, { prohibit_login: false }],
      ['inactive', { is_active: false }, { is_active: true }],
      ['passwordDue', { must_change_password: true }, { must_change_password: false }],
    ] as const) {
      await set(unusable)
      expect(await pushOf(reader)).toEqual({ allowed: false, reason: 'account', account })
      await set(usable)
    }
    await site.db
      .updateTable('repositories')
      .set({ archived_at: new Date() })
      .where('id', '=', repository.id)
      .execute()
    expect(await pushOf(reader)).toEqual({ allowed: false, reason: 'archived', account: null })
    const home = (await signIn(site, reader)).query('repos.getHome', path)
    expect((await home).data.may_push).toBe(false)
    await set({ prohibit_login: true })
    expect(await pushOf(reader), 'no more is told of an account than needed').toMatchObject({
      reason: 'archived',
    })
  })

  it('names the reason for which owners and site administrators can do everything', async () => {
    const { owner, explain } = await makeTeamed()
    const root = await makePerson(site, { is_admin: true })
    const { data } = await explain(root, owner)
    expect(data.mode).toBe('owner')
    expect(data.units[0].reasons[0]).toEqual({ source: 'organizationOwner', mode: 'owner' })
    const own = await explain(root, root)
    expect(own.data.units[0].reasons[0]).toEqual({ source: 'siteAdmin', mode: 'owner' })
  })

  it('is allowed to administrators of the repository, and to everyone about themselves', async () => {
    const { reader, outsider, owner, explain } = await makeTeamed()
    expect((await explain(reader, reader)).data.mode).toBe('read')
    expect((await explain(outsider, outsider)).data.units[0].reasons).toEqual([
      { source: 'public', mode: 'read' },
    ])
    expect((await explain(reader, owner)).error?.data.kind).toBe('forbidden')
    expect((await explain(reader, 'nobody-here')).error?.data.kind).toBe('forbidden')
  })

  it('returns notFound for an unknown name, an organization, and a hidden repository', async () => {
    const { owner, org, outsider, path, explain } = await makeTeamed()
    expect((await explain(owner, 'nobody-here')).error?.data.kind).toBe('notFound')
    expect((await explain(owner, org.name)).error?.data.kind).toBe('notFound')
    const base = `/repos/${path.owner}/${path.repo}`
    await call(site, 'PATCH', base, { as: owner, body: { private: true } })
    expect((await explain(outsider, outsider)).error?.data.kind).toBe('notFound')
  })
})

describe('activity.getRepositoryHome', () => {
  it('returns the newest branches and the default branch to readers of the code', async () => {
    const owner = await makePerson(site)
    const body = { name: 'home', auto_init: true }
    await call(site, 'POST', '/user/repos', { as: owner, body })
    const path = { owner: owner.name, repo: 'home' }
    const { data } = await new Browser(site).query('activity.getRepositoryHome', path)
    const branch = (await call(site, 'GET', `/repos/${owner.name}/home/branches/main`)).body
    const root = (await new Browser(site).query('code.pages.showRoot', path)).data
    expect(root).toMatchObject({
      isUnreadable: false,
      page: { commits: 1, tip: { sha: branch.commit.id, summary: 'Initial commit', author: owner.name } },
    })
    expect(data.branches).toBe(1)
    const { name } = await makeRepository(site.db, owner.account.id)
    const empty = await new Browser(site).query('activity.getRepositoryHome', {
      owner: owner.name,
      repo: name,
    })
    expect(empty.data).toMatchObject({ branches: 0, tags: 0, latest: null })
  })
})

describe('repos.getHome', () => {
  it('returns the repository, its numbers of branches and tags, and what the viewer can do', async () => {
    const owner = await makePerson(site)
    const body = { name: 'home', auto_init: true }
    const made = await call(site, 'POST', '/user/repos', { as: owner, body })
    const path = { owner: owner.name, repo: 'home' }
    const anonymous = await new Browser(site).query('repos.getHome', path)
    const shown = await call(site, 'GET', `/repos/${owner.name}/home`)
    expect(anonymous.data).toEqual({
      repository: shown.body,
      branches: 1,
      tags: 0,
      releases: 0,
      actions: 0,
      may_release: false,
      may_push: false,
      may_administer: false,
      may_delete: false,
      workflows_off: null,
      transfer: null,
    })
    const own = await (await signIn(site, owner)).query('repos.getHome', path)
    expect(own.data).toMatchObject({
      may_release: true,
      may_push: true,
      may_administer: true,
      may_delete: true,
      workflows_off: null,
    })
    expect(own.data.repository.id).toBe(made.body.id)
  })

  it('reads the numbers of branches and tags without Git, which is needed only for the newest commits', async () => {
    const owner = await makePerson(site)
    const repository = await makeGitRepository(site, owner.account, {
      is_empty: false,
      branch_count: 3,
      tag_count: 7,
    })
    await rm(repository.directory, { recursive: true })
    const path = { owner: owner.name, repo: repository.name }
    const { data } = await new Browser(site).query('repos.getHome', path)
    expect([data.branches, data.tags]).toEqual([3, 7])
    const root = await new Browser(site).query('code.pages.showRoot', path)
    expect(root.data).toMatchObject({ page: null, isUnreadable: true })
  })

  it('counts the tags of an older repository once, and returns no count while Git data is unavailable', async () => {
    const owner = await makePerson(site)
    const repository = await makeGitRepository(site, owner.account, { is_empty: false, tag_count: null })
    const path = { owner: owner.name, repo: repository.name }
    const tags = async () => (await new Browser(site).query('repos.getHome', path)).data.tags
    const away = `${repository.directory}.away`
    await rename(repository.directory, away)
    expect(await tags()).toBeNull()
    await rename(away, repository.directory)
    const git = (...args: string[]) => gitOk(['--git-dir', repository.directory, ...args])
    const id = await git('hash-object', '-w', '--stdin')
    for (const name of ['v1', 'v2']) await git('update-ref', `refs/tags/${name}`, id)
    expect(await tags()).toBe(2)
    await rm(repository.directory, { recursive: true })
    expect(await tags()).toBe(2)
  })

  it('counts nothing for viewers who cannot read the code', async () => {
    const [owner, issuesOnly] = [await makePerson(site), await makePerson(site)]
    const org = await makeOrg(site.db, owner.account.id)
    const body = { name: 'home', auto_init: true, private: true }
    const { id } = (await call(site, 'POST', `/orgs/${org.name}/repos`, { as: owner, body })).body
    const team = await makeTeam(site.db, org.id, { mode: 'none' }, { 'repo.issues': 'read' })
    await addToTeam(site.db, team, issuesOnly.account.id)
    await attach(site.db, team, id)
    const path = { owner: org.name, repo: 'home' }
    expect((await (await signIn(site, issuesOnly)).query('repos.getHome', path)).data.branches).toBe(0)
    const asked = await (await signIn(site, issuesOnly)).query('activity.getRepositoryHome', path)
    expect(asked.data).toMatchObject({ branches: 0, tags: 0 })
    expect((await new Browser(site).query('repos.getHome', path)).error?.data.kind).toBe('notFound')
  })

  it('returns the new location of a renamed repository', async () => {
    const owner = await makePerson(site)
    const { name } = await makeRepository(site.db, owner.account.id)
    await call(site, 'PATCH', `/repos/${owner.name}/${name}`, { as: owner, body: { name: `${name}-now` } })
    const answer = await new Browser(site).query('repos.getHome', { owner: owner.name, repo: name })
    expect(answer.error?.data).toMatchObject({ kind: 'moved', movedTo: `${name}-now` })
  })
})

describe('repos.collaborators.listWithModes', () => {
  it('returns each collaborator with their permission, only to users who can push', async () => {
    const { owner, reader, outsider, path } = await makeTeamed()
    const asked = async (as: Person) =>
      (await signIn(site, as)).query('repos.collaborators.listWithModes', path)
    expect((await asked(owner)).data).toMatchObject({
      items: [{ user: { login: reader.name }, mode: 'read' }],
      total: 1,
    })
    expect((await asked(outsider)).error?.data.kind).toBe('forbidden')
  })
})
