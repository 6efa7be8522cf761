import { randomBytes } from 'node:crypto'
import { describe, expect, it } from 'vitest'
import { addToOrg, addToTeam, makeOrg, makeRepository, makeTeam } from '@/db/testing/factories'
import { call } from '@/testing/call'
import { makePerson, type Person } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()

async function ownedOrg(overrides: Parameters<typeof makeOrg>[2] = {}) {
  const owner = await makePerson(site)
  return { owner, org: await makeOrg(site.db, owner.account.id, overrides) }
}

const remove = (name: string, as?: Person) => call(site, 'DELETE', `/orgs/${name}`, { as })

describe('DELETE /orgs/{org}', () => {
  it('returns 204 and deletes the organization’s teams, memberships, blocks, and former names, but not its members', async () => {
    const { owner, org } = await ownedOrg()
    const [ada, bob] = [await makePerson(site), await makePerson(site)]
    await addToTeam(site.db, await makeTeam(site.db, org.id), ada.account.id)
    await call(site, 'PUT', `/orgs/${org.name}/blocks/${bob.name}`, { as: owner })
    const name = `guild-${randomBytes(4).toString('hex')}`
    await call(site, 'POST', `/orgs/${org.name}/rename`, { as: owner, body: { new_name: name } })

    const answer = await remove(name, owner)
    expect([answer.status, answer.text]).toEqual([204, ''])
    for (const deleted of [name, org.name]) {
      expect((await call(site, 'GET', `/orgs/${deleted}`, { as: owner })).status).toBe(404)
    }
    expect((await call(site, 'GET', '/user/orgs', { as: ada })).body).toEqual([])
    for (const table of ['teams', 'team_units', 'team_members', 'organization_members'] as const) {
      const left = await site.db.selectFrom(table).select('org_id').where('org_id', '=', org.id).execute()
      expect(left).toEqual([])
    }
    for (const as of [owner, ada, bob]) expect((await call(site, 'GET', '/user', { as })).status).toBe(200)
  })

  it('returns 204 and records an event that outlives the organization', async () => {
    const { owner, org } = await ownedOrg()
    await remove(org.name, owner)
    const events = await site.db
      .selectFrom('events')
      .select(['owner_id', 'data'])
      .where('actor_id', '=', owner.account.id)
      .where('kind', '=', 'org.deleted')
      .execute()
    expect(events).toEqual([
      {
        owner_id: null,
        data: { orgId: org.id, name: org.name, shown: expect.objectContaining({ id: org.id }) },
      },
    ])
  })

  it('returns 422 with the number of repositories while the organization owns any', async () => {
    const { owner, org } = await ownedOrg()
    await makeRepository(site.db, org.id)
    await makeRepository(site.db, org.id, { is_private: true })
    const answer = await remove(org.name, owner)
    expect([answer.status, answer.body.message]).toEqual([
      422,
      `organization still owns repositories [name: ${org.name}, count: 2]; delete or transfer them first`,
    ])
    expect((await call(site, 'GET', `/orgs/${org.name}`)).status).toBe(200)
  })

  it('returns 204 and 404 for two concurrent requests, and records one event', async () => {
    for (let round = 0; round < 8; round++) {
      const { owner, org } = await ownedOrg()
      const answers = await Promise.all([remove(org.name, owner), remove(org.name, owner)])
      expect(answers.map(answer => answer.status).sort()).toEqual([204, 404])
    }
  })

  it('never returns 500 while the organization is shown and renamed and its members leave', async () => {
    for (let round = 0; round < 5; round++) {
      const { owner, org } = await ownedOrg()
      const members = await Promise.all([1, 2, 3].map(() => makePerson(site)))
      const team = await makeTeam(site.db, org.id)
      for (const { account } of members) await addToTeam(site.db, team, account.id)
      const path = `/orgs/${org.name}`
      const answers = await Promise.all([
        ...members.map(as => call(site, 'DELETE', `${path}/members/${as.name}`, { as })),
        remove(org.name, owner),
        ...members.map(as => call(site, 'PUT', `${path}/public_members/${as.name}`, { as })),
        call(site, 'POST', `${path}/rename`, { as: owner, body: { new_name: `${org.name}-x` } }),
      ])
      for (const answer of answers) expect(answer.status).toBeLessThan(500)
    }
  })

  it('returns 204 to site administrators, 403 to members and outsiders, and 401 without credentials', async () => {
    const { org } = await ownedOrg()
    const [member, outsider] = [await makePerson(site), await makePerson(site)]
    await addToOrg(site.db, org.id, member.account.id)
    for (const as of [member, outsider]) expect((await remove(org.name, as)).status).toBe(403)
    expect((await remove(org.name)).status).toBe(401)
    expect((await remove(org.name, await makePerson(site, { is_admin: true }))).status).toBe(204)
  })

  it('returns 404 for a private organization to outsiders, and for a user', async () => {
    const { org } = await ownedOrg({ visibility: 'private' })
    const [outsider, root] = [await makePerson(site), await makePerson(site, { is_admin: true })]
    expect((await remove(org.name, outsider)).status).toBe(404)
    expect((await remove(outsider.name, root)).status).toBe(404)
    expect((await call(site, 'GET', '/user', { as: outsider })).status).toBe(200)
  })
})
