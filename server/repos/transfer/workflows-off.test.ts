import { beforeEach, describe, expect, it } from 'vitest'
import { addToTeam, makeOrg, makeRepository, makeTeam } from '@/db/testing/factories'
import { isRunnable } from '@/server/actions'
import { contextOf } from '@/testing/actions'
import { type Answer, call } from '@/testing/call'
import { makePerson, type Person } from '@/testing/people'
import { useSite } from '@/testing/site'
import { editRepository } from '../edit'
import { showHome } from '../home'
import { loadRepository } from '../load'
import { administration } from '../policy'
import { findRepositoryById } from '../store'

const site = useSite()

let ada: Person
let bob: Person
let org: { id: number; name: string }

// Ada is an owner of the organization, and Bob can create repositories in it.
beforeEach(async () => {
  ada = await makePerson(site)
  bob = await makePerson(site)
  org = await makeOrg(site.db, ada.account.id)
  const creators = await makeTeam(site.db, org.id, { can_create_org_repo: true })
  await addToTeam(site.db, creators, bob.account.id)
})

async function repositoryOf(owner: { id: number }, name: string) {
  const repository = await makeRepository(site.db, owner.id)
  const path = `${name}/${repository.name}`
  const send = (as: Person, verb: string, body = {}): Promise<Answer> =>
    call(site, 'POST', `/repos/${path}/transfer${verb}`, { as, body })
  return {
    ...repository,
    path,
    give: (as: Person, to: string) => send(as, '', { new_owner: to }),
    accept: (as: Person) => send(as, '/accept'),
    async isOn() {
      const row = await findRepositoryById(site.db, repository.id)
      return row && isRunnable(row)
    },
  }
}

describe('after a transfer, the repository’s workflows are', () => {
  it('off if the recipient accepted it', async () => {
    const repository = await repositoryOf(bob.account, bob.name)
    await repository.give(bob, ada.name)
    expect(await repository.isOn()).toBe(true)
    await repository.accept(ada)
    expect(await repository.isOn()).toBe(false)
  })

  it('off if a site administrator started it', async () => {
    const root = await makePerson(site, { is_admin: true })
    const repository = await repositoryOf(bob.account, bob.name)
    expect((await repository.give(root, ada.name)).status).toBe(202)
    expect(await repository.isOn()).toBe(false)
  })

  it('off if the person who moved the repository owns only one of the two accounts', async () => {
    const repository = await repositoryOf(bob.account, bob.name)
    expect((await repository.give(bob, org.name)).status).toBe(202)
    expect(await repository.isOn()).toBe(false)
  })

  it('off if one owner of an organization offered the repository to another owner, who accepts it', async () => {
    await addToTeam(site.db, { id: (await ownersTeam()).id, org_id: org.id }, bob.account.id)
    const repository = await repositoryOf(org, org.name)
    await repository.give(bob, ada.name)
    await repository.accept(ada)
    expect(await repository.isOn()).toBe(false)
  })

  it('unchanged if one person moves the repository between accounts of their own', async () => {
    const repository = await repositoryOf(ada.account, ada.name)
    expect((await repository.give(ada, org.name)).status).toBe(202)
    expect(await repository.isOn()).toBe(true)
  })
})

const ownersTeam = () =>
  site.db
    .selectFrom('teams')
    .select('id')
    .where('org_id', '=', org.id)
    .where('is_owners', '=', true)
    .executeTakeFirstOrThrow()

it('only an owner can turn on workflows that a transfer turned off, even if another administrator loaded the repository before the transfer', async () => {
  const carol = await makePerson(site)
  const repository = await repositoryOf(bob.account, bob.name)
  const body = { permission: 'admin' }
  await call(site, 'PUT', `/repos/${repository.path}/collaborators/${carol.name}`, { as: bob, body })
  const asked = await Promise.all(
    [bob, carol].map(async person => {
      const ctx = contextOf(site, person)
      const found = await loadRepository(ctx, { owner: bob.name, repo: repository.name }, administration)
      return () =>
        editRepository(ctx, found, { owner: bob.name, repo: repository.name, has_actions: true } as never)
    }),
  )
  await repository.give(bob, ada.name)
  await repository.accept(ada)
  for (const ask of asked) await expect(ask()).rejects.toThrow()
  const now = { owner: ada.name, repo: repository.name }
  const shown = (as: Person) => showHome(contextOf(site, as), now)
  const turnOn = (as: Person) =>
    call(site, 'PATCH', `/repos/${now.owner}/${now.repo}`, { as, body: { has_actions: true } })
  expect((await turnOn(carol)).status).toBe(403)
  expect(await repository.isOn()).toBe(false)
  const since = expect.stringMatching(/T/)
  expect((await shown(carol)).workflows_off).toEqual({ since, may_turn_on: false })
  expect((await shown(ada)).workflows_off).toEqual({ since, may_turn_on: true })
  expect((await turnOn(ada)).body.has_actions).toBe(true)
  expect((await shown(ada)).workflows_off).toBeNull()

  await call(site, 'PATCH', `/repos/${now.owner}/${now.repo}`, { as: carol, body: { has_actions: false } })
  expect((await shown(carol)).workflows_off).toEqual({ since: null, may_turn_on: true })
  expect((await turnOn(carol)).status).toBe(200)
})
