import { describe, expect, it } from 'vitest'
import { addToTeam, attach, makeOrg, makeRepository, makeTeam } from '@/db/testing/factories'
import { call } from '@/testing/call'
import { makePerson } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()

async function makeScene(flags: { repo_admin_change_team_access?: boolean } = {}) {
  const [owner, member] = [await makePerson(site), await makePerson(site)]
  const org = await makeOrg(site.db, owner.account.id, flags)
  const repository = await makeRepository(site.db, org.id, { is_private: true })
  const team = await makeTeam(site.db, org.id, { name: 'Builders' })
  await addToTeam(site.db, team, member.account.id)
  return { owner, member, org, repository, team, path: `/repos/${org.name}/${repository.name}/teams` }
}

describe('GET /repos/{owner}/{repo}/teams', () => {
  it('returns 200 and all teams that have the repository on one page, the Owners team first', async () => {
    const { owner, org, repository, team, path } = await makeScene()
    await attach(site.db, team, repository.id)
    await attach(site.db, await makeTeam(site.db, org.id, { name: 'artists' }), repository.id)
    const more = Array.from({ length: 50 }, (_, index) => `team-${10 + index}`)
    for (const name of more) {
      await attach(site.db, await makeTeam(site.db, org.id, { name }), repository.id)
    }
    const answer = await call(site, 'GET', `${path}?limit=2&page=2`, { as: owner })
    const names = ['Owners', 'artists', 'Builders', ...more]
    expect(answer.body.map((one: { name: string }) => one.name)).toEqual(names)
    expect([answer.headers.get('x-total-count'), answer.headers.get('link')]).toEqual(['53', null])
    expect(answer.body[1]).toMatchObject({ organization: { username: org.name }, units: ['repo.code'] })
  })

  it('returns 200 to any signed-in user who can see the repository, and 401 without credentials', async () => {
    const { org, repository, path } = await makeScene()
    const guest = await makePerson(site)
    await site.db
      .insertInto('repository_collaborators')
      .values({ repository_id: repository.id, user_id: guest.account.id, mode: 'write' })
      .execute()
    for (const asked of [path, `${path}/Owners`]) {
      expect((await call(site, 'GET', asked, { as: guest })).status).toBe(200)
      expect((await call(site, 'GET', asked, { as: await makePerson(site) })).status).toBe(404)
    }
    const open = await makeRepository(site.db, org.id)
    expect((await call(site, 'GET', `/repos/${org.name}/${open.name}/teams`)).status).toBe(401)
  })

  it('returns 405 for a repository that belongs to a user', async () => {
    const ada = await makePerson(site)
    const repository = await makeRepository(site.db, ada.account.id)
    for (const method of ['GET', 'PUT', 'DELETE']) {
      const path = `/repos/${ada.name}/${repository.name}/teams${method === 'GET' ? '' : '/x'}`
      expect((await call(site, method, path, { as: ada })).status, method).toBe(405)
    }
  })
})

describe('/repos/{owner}/{repo}/teams/{team}', () => {
  it('returns 200 for a team name in any case, or 404 if the team does not have the repository', async () => {
    const { owner, repository, team, path } = await makeScene()
    expect((await call(site, 'GET', `${path}/builders`, { as: owner })).status).toBe(404)
    await attach(site.db, team, repository.id)
    expect((await call(site, 'GET', `${path}/BUILDERS`, { as: owner })).body).toMatchObject({ id: team.id })
  })

  it('returns 204 and grants or revokes the team’s access for the next request', async () => {
    const { owner, member, repository, org, path } = await makeScene()
    const visible = async () =>
      (await call(site, 'GET', `/repos/${org.name}/${repository.name}`, { as: member })).status
    expect(await visible()).toBe(404)
    expect((await call(site, 'PUT', `${path}/Builders`, { as: owner })).status).toBe(204)
    expect(await visible()).toBe(200)
    expect((await call(site, 'DELETE', `${path}/Builders`, { as: owner })).status).toBe(204)
    expect(await visible()).toBe(404)
  })

  it('returns 422 if the team already has the repository, does not have it, or includes all repositories', async () => {
    const { owner, repository, team, path } = await makeScene()
    const refused = async (method: string, name: string) => {
      const { status, body } = await call(site, method, `${path}/${name}`, { as: owner })
      return [status, body.message]
    }
    expect(await refused('DELETE', 'Builders')).toEqual([422, "team 'Builders' was not added to repo"])
    await attach(site.db, team, repository.id)
    expect(await refused('PUT', 'Builders')).toEqual([422, "team 'Builders' is already added to repo"])
    expect(await refused('DELETE', 'Owners')).toEqual([
      422,
      "team 'Owners' includes all repositories; change that in the team first",
    ])
    expect(await refused('PUT', 'nobody')).toEqual([404, 'not found'])
  })

  it('returns 403 to administrators of the repository who are not owners, unless the organization allows it', async () => {
    for (const allowed of [false, true]) {
      const { org, repository, path } = await makeScene({ repo_admin_change_team_access: allowed })
      const keeper = await makePerson(site)
      const keepers = await makeTeam(site.db, org.id, { mode: 'admin' })
      await addToTeam(site.db, keepers, keeper.account.id)
      await attach(site.db, keepers, repository.id)
      const answer = await call(site, 'PUT', `${path}/Builders`, { as: keeper })
      expect(answer.status, String(allowed)).toBe(allowed ? 204 : 403)
      if (!allowed) expect(answer.body.message).toBe('user is nor repo admin nor owner')
    }
  })
})
