import { describe, expect, it } from 'vitest'
import { addToTeam, makeOrg, makeRepository, makeTeam } from '@/db/testing/factories'
import { call } from '@/testing/call'
import type { Person } from '@/testing/people'
import { useSite } from '@/testing/site'
import { makeTeamCast, type TeamCast } from '@/testing/team-cast'

const site = useSite()

/**
 * Makes a user a collaborator of a private repository of this account. Returns a function with the status
 * they get for it.
 */
async function share(ownerId: number, person: Person): Promise<() => Promise<number>> {
  const { id } = await makeRepository(site.db, ownerId, { is_private: true })
  const row = { repository_id: id, user_id: person.account.id, mode: 'admin' as const }
  await site.db.insertInto('repository_collaborators').values(row).execute()
  return async () => (await call(site, 'GET', `/repositories/${id}`, { as: person })).status
}

const ways: [string, (cast: TeamCast) => [string, Person]][] = [
  ['they are removed', cast => [`/orgs/${cast.org.name}/members/${cast.inTeam.name}`, cast.owner]],
  ['they leave', cast => [`/orgs/${cast.org.name}/members/${cast.inTeam.name}`, cast.inTeam]],
  ['they lose their last team', cast => [`/teams/${cast.team.id}/members/${cast.inTeam.name}`, cast.owner]],
  ['their last team is deleted', cast => [`/teams/${cast.team.id}`, cast.owner]],
]

describe('leaving an organization', () => {
  it.each(ways)('ends the member’s collaborations on its repositories if %s', async (_, wayOf) => {
    const cast = await makeTeamCast(site)
    const { org, inTeam, outsider, owner } = cast
    const other = await makeOrg(site.db, owner.account.id)
    const inside = await share(org.id, inTeam)
    const elsewhere = await share(other.id, inTeam)
    const guest = await share(org.id, outsider)
    expect(await inside()).toBe(200)
    const [path, as] = wayOf(cast)
    expect((await call(site, 'DELETE', path, { as })).status).toBe(204)
    expect([await inside(), await elsewhere(), await guest()]).toEqual([404, 200, 200])
  })

  it('does not happen while another team has the member', async () => {
    const { org, owner, inTeam, team } = await makeTeamCast(site)
    await addToTeam(site.db, await makeTeam(site.db, org.id), inTeam.account.id)
    const inside = await share(org.id, inTeam)
    const path = `/teams/${team.id}/members/${inTeam.name}`
    expect((await call(site, 'DELETE', path, { as: owner })).status).toBe(204)
    expect(await inside()).toBe(200)
  })

  it('ends the member’s administration of repositories that they created in it', async () => {
    const { org, owner, inTeam } = await makeTeamCast(site, { team: { can_create_org_repo: true } })
    const body = { name: 'workbench', private: true }
    const made = await call(site, 'POST', `/orgs/${org.name}/repos`, { as: inTeam, body })
    expect([made.status, made.body.permissions]).toMatchObject([201, { admin: true }])
    await call(site, 'DELETE', `/orgs/${org.name}/members/${inTeam.name}`, { as: owner })
    expect((await call(site, 'GET', `/repos/${org.name}/workbench`, { as: inTeam })).status).toBe(404)
  })
})
