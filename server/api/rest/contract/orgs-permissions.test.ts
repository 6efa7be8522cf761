import { describe, expect, it } from 'vitest'
import { addToOrg, addToTeam, makeOrg, makeTeam } from '@/db/testing/factories'
import { call } from '@/testing/call'
import { makePerson, type Person } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()

const ask = async (about: Person | string, org: string, as?: Person) => {
  const name = typeof about === 'string' ? about : about.name
  const answer = await call(site, 'GET', `/users/${name}/orgs/${org}/permissions`, { as })
  return [answer.status, answer.body]
}

const nothing = {
  is_owner: false,
  is_admin: false,
  can_write: false,
  can_read: false,
  can_create_repository: false,
}
const reading = { ...nothing, can_read: true }
const writing = { ...reading, can_write: true }
const administering = { ...writing, is_admin: true }
const everything = { ...administering, is_owner: true, can_create_repository: true }

async function makeWorld(overrides: Parameters<typeof makeOrg>[2] = {}) {
  const [owner, member] = [await makePerson(site), await makePerson(site)]
  const org = await makeOrg(site.db, owner.account.id, overrides)
  await addToOrg(site.db, org.id, member.account.id)
  return { org, owner, member }
}

describe('GET /users/{username}/orgs/{org}/permissions', () => {
  it('returns 200 with all permissions for an owner, and none for an outsider or a member without a team', async () => {
    const { org, owner, member } = await makeWorld()
    const outsider = await makePerson(site)
    expect(await ask(owner, org.name, owner)).toEqual([200, everything])
    expect(await ask(member, org.name, member)).toEqual([200, nothing])
    expect(await ask(outsider, org.name, outsider)).toEqual([200, nothing])
  })

  it('returns 200 with the highest permissions of the user’s teams, for all units or for single ones', async () => {
    const { org, member } = await makeWorld()
    const join = async (...team: [Parameters<typeof makeTeam>[2], Parameters<typeof makeTeam>[3]]) =>
      addToTeam(site.db, await makeTeam(site.db, org.id, ...team), member.account.id)
    await join({ mode: 'none' }, { 'repo.wiki': 'read' })
    expect(await ask(member, org.name, member)).toEqual([200, reading])
    await join({ mode: 'write' }, {})
    expect(await ask(member, org.name, member)).toEqual([200, writing])
    await join({ mode: 'admin' }, {})
    expect(await ask(member, org.name, member)).toEqual([200, administering])
    await join({ mode: 'none', can_create_org_repo: true }, {})
    expect(await ask(member, org.name, member)).toEqual([
      200,
      { ...administering, can_create_repository: true },
    ])
  })

  it('returns 200 to site administrators for anyone, without counting what they can do as administrators', async () => {
    const { org, member } = await makeWorld({ visibility: 'private' })
    const [root, outsider] = [await makePerson(site, { is_admin: true }), await makePerson(site)]
    expect(await ask(root, org.name, root)).toEqual([200, nothing])
    expect(await ask(member, org.name, root)).toEqual([200, nothing])
    expect(await ask(outsider, org.name, root)).toEqual([200, nothing])
  })

  it('returns 200 to any signed-in user, and 401 without credentials', async () => {
    const { org, owner, member } = await makeWorld()
    const outsider = await makePerson(site)
    for (const as of [owner, member, outsider])
      expect(await ask(owner, org.name, as)).toEqual([200, everything])
    expect((await ask(member, org.name))[0]).toBe(401)
  })

  it('returns 404 for an unknown or hidden user or organization, and for one in place of the other', async () => {
    const { org, owner } = await makeWorld({ visibility: 'private' })
    const outsider = await makePerson(site)
    expect((await ask('nobody-here', org.name, owner))[0]).toBe(404)
    expect((await ask(owner, 'nobody-here', owner))[0]).toBe(404)
    expect((await ask(owner, outsider.name, owner))[0]).toBe(404)
    expect((await ask(org.name, org.name, owner))[0]).toBe(404)
    expect((await ask(outsider, org.name, outsider))[0]).toBe(404)
  })
})
