import { giteaApi } from 'gitea-js'
import { describe, expect, it } from 'vitest'
import { makeOrg } from '@/db/testing/factories'
import { makePerson } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()
const clientOf = ({ token }: { token: string }) => giteaApi(site.url, { token })

describe('unmodified gitea-js', () => {
  it('creates, finds, edits, lists, and deletes a repository', async () => {
    const ada = await makePerson(site)
    const { user, repos, users } = clientOf(ada)
    const made = await user.createCurrentUserRepo({ name: 'engine', auto_init: true, private: true })
    expect([made.status, made.data.full_name]).toEqual([201, `${ada.name}/engine`])
    expect((await repos.repoGet(ada.name, 'engine')).data).toEqual(made.data)
    expect((await user.userCurrentListRepos()).data).toEqual([made.data])
    expect((await users.userListRepos(ada.name, { page: 1, limit: 10 })).data).toEqual([made.data])
    const found = await repos.repoSearch({
      q: 'engine',
      uid: ada.account.id,
      private: true,
      sort: 'updated',
      order: 'desc',
    })
    expect(found.data).toEqual({ ok: true, data: [made.data] })
    const edited = await repos.repoEdit(ada.name, 'engine', {
      name: 'motor',
      description: 'It runs',
      has_wiki: false,
    })
    expect(edited.data).toMatchObject({ name: 'motor', description: 'It runs', has_wiki: false })
    expect((await repos.repoGet(ada.name, 'engine')).data.name).toBe('motor')
    expect((await repos.repoDelete(ada.name, 'motor')).status).toBe(204)
    await expect(repos.repoGet(ada.name, 'motor')).rejects.toMatchObject({ status: 404 })
  })

  it('reads branches and tags', async () => {
    const ada = await makePerson(site)
    const { user, repos } = clientOf(ada)
    await user.createCurrentUserRepo({ name: 'engine', auto_init: true, default_branch: 'trunk' })
    const { data: branches } = await repos.repoListBranches(ada.name, 'engine')
    expect(branches.map(branch => branch.name)).toEqual(['trunk'])
    const { data: branch } = await repos.repoGetBranch(ada.name, 'engine', 'trunk')
    expect(branch).toEqual(branches[0])
    expect((await repos.repoListTags(ada.name, 'engine')).data).toEqual([])
  })

  it('adds and removes collaborators', async () => {
    const [ada, bob] = [await makePerson(site), await makePerson(site)]
    const { user, repos } = clientOf(ada)
    await user.createCurrentUserRepo({ name: 'engine' })
    await repos.repoAddCollaborator(ada.name, 'engine', bob.name, { permission: 'read' })
    const { data: people } = await repos.repoListCollaborators(ada.name, 'engine')
    expect(people.map(person => person.login)).toEqual([bob.name])
    expect((await repos.repoCheckCollaborator(ada.name, 'engine', bob.name)).status).toBe(204)
    const { data: held } = await repos.repoGetRepoPermissions(ada.name, 'engine', bob.name)
    expect(held).toMatchObject({ permission: 'read', role_name: 'read', user: { login: bob.name } })
    expect((await repos.repoDeleteCollaborator(ada.name, 'engine', bob.name)).status).toBe(204)
    await expect(repos.repoCheckCollaborator(ada.name, 'engine', bob.name)).rejects.toMatchObject({
      status: 404,
    })
  })

  it('creates and lists an organization’s repositories', async () => {
    const ada = await makePerson(site)
    const { name } = await makeOrg(site.db, ada.account.id)
    const { orgs, org, admin } = clientOf(await makePerson(site, { is_admin: true }))
    await orgs.createOrgRepo(name, { name: 'one' })
    await org.createOrgRepoDeprecated(name, { name: 'two' })
    await admin.adminCreateRepo(ada.name, { name: 'three' })
    const { data } = await orgs.orgListRepos(name)
    expect(data.map(repository => repository.name)).toEqual(['one', 'two'])
  })
})
