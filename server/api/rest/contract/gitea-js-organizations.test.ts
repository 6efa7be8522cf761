import { randomUUID } from 'node:crypto'
import { giteaApi } from 'gitea-js'
import { describe, expect, it } from 'vitest'
import { makePerson, type Person } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()
const clientOf = ({ token }: { token: string }) => giteaApi(site.url, { token })
const newName = () => `guild-${randomUUID().slice(0, 8)}`

async function makeOrg(owner: Person) {
  const client = clientOf(owner)
  const { data: org } = await client.orgs.orgCreate({ username: newName(), description: 'Roofs' })
  return { client, org: String(org.username) }
}

describe('unmodified gitea-js on organizations', () => {
  it('creates, reads, edits, lists, and deletes an organization', async () => {
    const ada = await makePerson(site)
    const { client, org } = await makeOrg(ada)
    expect((await client.orgs.orgGet(org)).data).toMatchObject({ name: org, visibility: 'public' })
    const edited = await client.orgs.orgEdit(org, { full_name: 'Roofers', visibility: 'limited' })
    expect(edited.data).toMatchObject({ full_name: 'Roofers', visibility: 'limited' })
    expect((await client.user.orgListCurrentUserOrgs()).data).toMatchObject([{ name: org }])
    expect((await client.users.orgListUserOrgs(ada.name)).data).toMatchObject([{ name: org }])
    expect((await client.users.orgGetUserPermissions(ada.name, org)).data).toMatchObject({ is_owner: true })
    expect((await client.orgs.orgDelete(org)).status).toBe(204)
    await expect(client.orgs.orgGet(org)).rejects.toMatchObject({ status: 404 })
  })

  it('shows, hides, and removes members', async () => {
    const [ada, bob] = [await makePerson(site), await makePerson(site)]
    const { client, org } = await makeOrg(ada)
    const { data: team } = await client.orgs.orgCreateTeam(org, {
      name: 'builders',
      permission: 'write',
      units: ['repo.code'],
    })
    await client.teams.orgAddTeamMember(Number(team.id), bob.name)
    const theirs = clientOf(bob)
    expect((await theirs.orgs.orgListPublicMembers(org)).data).toEqual([])
    await theirs.orgs.orgPublicizeMember(org, bob.name)
    expect((await theirs.orgs.orgListPublicMembers(org)).data).toMatchObject([{ login: bob.name }])
    await theirs.orgs.orgConcealMember(org, bob.name)
    expect((await client.orgs.orgIsMember(org, bob.name)).status).toBe(204)
    await client.orgs.orgDeleteMember(org, bob.name)
    expect((await client.orgs.orgListMembers(org)).data).toMatchObject([{ login: ada.name }])
  })
})

describe('unmodified gitea-js on teams', () => {
  it('creates a team with mixed units, then reads, finds, edits, and deletes it', async () => {
    const ada = await makePerson(site)
    const { client, org } = await makeOrg(ada)
    const { data: made } = await client.orgs.orgCreateTeam(org, {
      name: 'builders',
      permission: 'write',
      units_map: { 'repo.code': 'write', 'repo.issues': 'read' },
    })
    expect(made).toMatchObject({ permission: 'write', organization: { username: org } })
    expect(made.units_map).toEqual({ 'repo.code': 'write', 'repo.issues': 'read' })
    const id = Number(made.id)
    expect((await client.teams.orgGetTeam(id)).data).toEqual(made)
    expect((await client.orgs.teamSearch(org, { q: 'own' })).data).toMatchObject({
      ok: true,
      data: [{ name: 'Owners' }],
    })
    const edited = await client.teams.orgEditTeam(id, { name: 'roofers', permission: 'admin' })
    expect(edited.data).toMatchObject({ name: 'roofers', permission: 'admin' })
    const names = (await client.orgs.orgListTeams(org)).data.map(team => team.name)
    expect(names).toEqual(['Owners', 'roofers'])
    expect((await client.user.userListTeams()).data.map(team => team.name)).toEqual(['Owners'])
    expect((await client.teams.orgDeleteTeam(id)).status).toBe(204)
  })

  it('adds members and repositories to a team and removes them', async () => {
    const [ada, bob] = [await makePerson(site), await makePerson(site)]
    const { client, org } = await makeOrg(ada)
    await client.orgs.createOrgRepo(org, { name: 'roof' })
    const units = ['repo.code']
    const { data: team } = await client.orgs.orgCreateTeam(org, {
      name: 'builders',
      permission: 'read',
      units,
    })
    const id = Number(team.id)
    await client.teams.orgAddTeamMember(id, bob.name)
    expect((await client.teams.orgListTeamMembers(id)).data).toMatchObject([{ login: bob.name }])
    expect((await client.teams.orgListTeamMember(id, bob.name)).data).toMatchObject({ login: bob.name })
    await client.teams.orgAddTeamRepository(id, org, 'roof')
    const attached = { full_name: `${org}/roof` }
    expect((await client.teams.orgListTeamRepos(id)).data).toMatchObject([attached])
    expect((await client.teams.orgListTeamRepo(id, org, 'roof')).data).toMatchObject(attached)
    expect((await client.repos.repoListTeams(org, 'roof')).data.map(one => one.name)).toEqual([
      'Owners',
      'builders',
    ])
    const feed = await client.teams.orgListTeamActivityFeeds(id)
    expect(feed.data).toMatchObject([{ op_type: 'create_repo', repo: attached }])
    await client.teams.orgRemoveTeamRepository(id, org, 'roof')
    await client.teams.orgRemoveTeamMember(id, bob.name)
    expect((await client.teams.orgListTeamRepos(id)).data).toEqual([])
  })
})

describe('unmodified gitea-js on repositories', () => {
  it('creates, reads, finds, edits, renames, and deletes a repository', async () => {
    const ada = await makePerson(site)
    const { repos, user, repositories } = clientOf(ada)
    const name = newName()
    const { data: made } = await user.createCurrentUserRepo({ name, auto_init: true, private: true })
    expect(made).toMatchObject({ full_name: `${ada.name}/${name}`, empty: false, private: true })
    expect(made.permissions).toEqual({ admin: true, push: true, pull: true })
    expect((await repos.repoGet(ada.name, name)).data).toEqual(made)
    expect((await repositories.repoGetById(Number(made.id))).data).toEqual(made)
    expect((await repos.repoSearch({ q: name })).data).toMatchObject({ ok: true, data: [{ name }] })
    expect((await user.userCurrentListRepos()).data).toMatchObject([{ name }])
    expect((await repos.repoListBranches(ada.name, name)).data).toMatchObject([
      { name: 'main', commit: { author: { name: expect.any(String) } } },
    ])
    await repos.repoEdit(ada.name, name, { name: `${name}-2`, description: 'Slate' })
    // The client follows the redirect from the old name.
    expect((await repos.repoGet(ada.name, name)).data).toMatchObject({
      name: `${name}-2`,
      description: 'Slate',
    })
    expect((await repos.repoDelete(ada.name, `${name}-2`)).status).toBe(204)
  })

  it('adds a collaborator, reads their permission, and removes them', async () => {
    const [ada, bob] = [await makePerson(site), await makePerson(site)]
    const { repos, user } = clientOf(ada)
    const name = newName()
    await user.createCurrentUserRepo({ name, private: true })
    await repos.repoAddCollaborator(ada.name, name, bob.name, { permission: 'write' })
    expect((await repos.repoListCollaborators(ada.name, name)).data).toMatchObject([{ login: bob.name }])
    expect((await repos.repoCheckCollaborator(ada.name, name, bob.name)).status).toBe(204)
    const asked = await repos.repoGetRepoPermissions(ada.name, name, bob.name)
    expect(asked.data).toMatchObject({ permission: 'write', user: { login: bob.name } })
    await repos.repoDeleteCollaborator(ada.name, name, bob.name)
    await expect(repos.repoCheckCollaborator(ada.name, name, bob.name)).rejects.toMatchObject({ status: 404 })
  })
})
