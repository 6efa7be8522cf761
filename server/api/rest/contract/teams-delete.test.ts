import { describe, expect, it } from 'vitest'
import { addToTeam, attach, makeRepository, makeTeam } from '@/db/testing/factories'
import { call } from '@/testing/call'
import { useSite } from '@/testing/site'
import { answersTo, makeTeamCast, refusals, statusAndMessage } from '@/testing/team-cast'

const site = useSite()

describe('DELETE /teams/{id}', () => {
  it('returns 204 to owners, 403 to members, and 404 to outsiders', async () => {
    const { owner, inTeam, member, outsider, team } = await makeTeamCast(site)
    const people = [undefined, outsider, member, inTeam, owner, owner]
    expect(await answersTo(site, 'DELETE', `/teams/${team.id}`, people)).toEqual([
      refusals.anonymous,
      refusals.hidden,
      refusals.notOwner,
      refusals.notOwner,
      [204, undefined],
      refusals.hidden,
    ])
  })

  it('returns 204 to site administrators', async () => {
    const { root, team } = await makeTeamCast(site)
    expect(await answersTo(site, 'DELETE', `/teams/${team.id}`, [root])).toEqual([[204, undefined]])
  })

  it('returns 404 for a team that does not exist, and for an invalid ID', async () => {
    const { root } = await makeTeamCast(site)
    for (const id of ['999999999', 'abc']) {
      expect(await answersTo(site, 'DELETE', `/teams/${id}`, [root])).toEqual([refusals.hidden])
    }
  })

  it('returns 204, keeps the team’s repositories and users, and frees its name', async () => {
    const { owner, inTeam, team, org } = await makeTeamCast(site)
    const repository = await makeRepository(site.db, org.id)
    await attach(site.db, team, repository.id)
    await call(site, 'DELETE', `/teams/${team.id}`, { as: owner })
    const { body } = await call(site, 'GET', `/orgs/${org.name}/teams`, { as: owner })
    expect(body.map((left: { name: string }) => left.name)).toEqual(['Owners'])
    expect((await call(site, 'GET', `/repos/${org.name}/${repository.name}`, { as: owner })).status).toBe(200)
    expect((await call(site, 'GET', '/user', { as: inTeam })).status).toBe(200)
    const again = { name: team.name, permission: 'read', units: ['repo.code'] }
    expect((await call(site, 'POST', `/orgs/${org.name}/teams`, { as: owner, body: again })).status).toBe(201)
  })

  it('returns 204 and removes members without another team from the organization', async () => {
    const { owner, inTeam, member, team, org } = await makeTeamCast(site)
    const other = await makeTeam(site.db, org.id)
    for (const person of [owner, member]) await addToTeam(site.db, team, person.account.id)
    await addToTeam(site.db, other, member.account.id)
    expect((await call(site, 'DELETE', `/teams/${team.id}`, { as: owner })).status).toBe(204)
    const left = await site.db
      .selectFrom('organization_members')
      .select('user_id')
      .where('org_id', '=', org.id)
      .execute()
    expect(left.map(row => row.user_id).sort()).toEqual([owner.account.id, member.account.id].sort())
    expect((await call(site, 'GET', `/orgs/${org.name}/teams`, { as: inTeam })).status).toBe(403)
  })

  it('returns 403 for the Owners team, with the reason', async () => {
    const { owner, root, org } = await makeTeamCast(site)
    for (const as of [owner, root]) {
      const answer = await call(site, 'DELETE', `/teams/${org.ownersTeamId}`, { as })
      expect(statusAndMessage(answer)).toEqual([
        403,
        expect.stringContaining('the Owners team cannot be deleted'),
      ])
    }
  })

  it('returns 204 and 404 to two concurrent requests, and records one event', async () => {
    const { owner, inTeam, team, org } = await makeTeamCast(site)
    const both = await Promise.all(
      [owner, owner].map(as => call(site, 'DELETE', `/teams/${team.id}`, { as })),
    )
    expect(both.map(answer => answer.status).sort()).toEqual([204, 404])
    const events = await site.db
      .selectFrom('events')
      .select(['kind', 'data'])
      .where('owner_id', '=', org.id)
      .execute()
    expect(events).toEqual([
      { kind: 'org.member_removed', data: { memberId: inTeam.account.id, member: inTeam.name } },
      {
        kind: 'team.deleted',
        data: { teamId: team.id, team: team.name, leftOrganization: 1, shown: expect.anything() },
      },
    ])
  })
})
