import { describe, expect, it } from 'vitest'
import { addToTeam, attach, makeOrg, makeRepository, makeTeam } from '@/db/testing/factories'
import { call } from '@/testing/call'
import { makeToken, type Person } from '@/testing/people'
import { useSite } from '@/testing/site'
import { answersTo, makeTeamCast, refusals, statusAndMessage } from '@/testing/team-cast'

const site = useSite()

const notAdmin = [403, 'Must have admin-level access to the repository']
const names = (answer: { body: { name: string }[] }) => answer.body.map(repo => repo.name)
const list = (as: Person | { token: string }, team: { id: number }, query = '') =>
  call(site, 'GET', `/teams/${team.id}/repos${query}`, { as })

/** Creates a cast whose team has write permission on one private repository of the organization. */
async function makeCastWithRepository() {
  const cast = await makeTeamCast(site, {
    team: { mode: 'write' },
    units: { 'repo.code': 'write', 'repo.issues': 'read' },
  })
  const repository = await makeRepository(site.db, cast.org.id, { is_private: true })
  await attach(site.db, cast.team, repository.id)
  return { ...cast, repository, path: `/teams/${cast.team.id}/repos/${cast.org.name}/${repository.name}` }
}

describe('GET /teams/{id}/repos', () => {
  it('returns 200 to team members, owners, and site administrators, 403 to other members, and 404 to outsiders', async () => {
    const { root, owner, inTeam, member, outsider, team, path } = await makeCastWithRepository()
    for (const asked of [`/teams/${team.id}/repos`, path]) {
      const people = [root, owner, inTeam, member, outsider, undefined]
      expect(await answersTo(site, 'GET', asked, people)).toEqual([
        [200, undefined],
        [200, undefined],
        [200, undefined],
        refusals.notInTeam,
        refusals.hidden,
        refusals.anonymous,
      ])
    }
    expect(await answersTo(site, 'GET', '/teams/999999999/repos', [root])).toEqual([refusals.hidden])
  })

  it("returns 200 and only the team's repositories, by name ignoring case, with count and links", async () => {
    const { owner, org } = await makeTeamCast(site)
    const team = await makeTeam(site.db, org.id)
    for (const name of ['beta', 'Alpha', 'alpine', 'Zeta']) {
      await attach(site.db, team, (await makeRepository(site.db, org.id, { name })).id)
    }
    await makeRepository(site.db, org.id)
    const all = await list(owner, team)
    expect([names(all), all.headers.get('x-total-count')]).toEqual([['Alpha', 'alpine', 'beta', 'Zeta'], '4'])
    const second = await list(owner, team, '?page=2&limit=3')
    expect([names(second), second.headers.get('x-total-count')]).toEqual([['Zeta'], '4'])
    expect(second.headers.get('link')).toContain(
      `<${site.url}/api/v1/teams/${team.id}/repos?limit=3&page=1>; rel="first"`,
    )
    const small = await list(owner, team, '?page=2&limit=1')
    expect(names(small)).toEqual(['alpine'])
    const past = await list(owner, team, '?page=9')
    expect([past.body, past.headers.get('x-total-count')]).toEqual([[], '4'])
  })

  it('returns 200 and the caller’s permissions on each repository', async () => {
    const { owner, inTeam, team, repository } = await makeCastWithRepository()
    const permissions = async (as: Person) => (await list(as, team)).body[0].permissions
    expect(await permissions(owner)).toEqual({ admin: true, push: true, pull: true })
    expect(await permissions(inTeam)).toEqual({ admin: false, push: true, pull: true })
    const collaborator = { repository_id: repository.id, user_id: inTeam.account.id, mode: 'admin' } as const
    await site.db.insertInto('repository_collaborators').values(collaborator).execute()
    expect(await permissions(inTeam)).toEqual({ admin: true, push: true, pull: true })
  })

  it('returns 200 and only public repositories for a token limited to public data', async () => {
    const { owner, org, team, path } = await makeCastWithRepository()
    const open = await makeRepository(site.db, org.id)
    await attach(site.db, team, open.id)
    const as = { token: await makeToken(site, owner.account.id, ['public-only', 'read:organization']) }
    const seen = await list(as, team)
    expect([names(seen), seen.headers.get('x-total-count')]).toEqual([[open.name], '1'])
    expect((await call(site, 'GET', path, { as })).status).toBe(404)
    expect((await call(site, 'GET', `/teams/${team.id}/repos/${org.name}/${open.name}`, { as })).status).toBe(
      200,
    )
  })
})

describe('GET /teams/{id}/repos/{org}/{repo}', () => {
  it('returns 200 and the repository with the caller’s permissions, ignoring the names’ case', async () => {
    const { inTeam, org, team, repository } = await makeCastWithRepository()
    const path = `/teams/${team.id}/repos/${org.name.toUpperCase()}/${repository.name.toUpperCase()}`
    expect((await call(site, 'GET', path, { as: inTeam })).body).toMatchObject({
      id: repository.id,
      full_name: `${org.name}/${repository.name}`,
      permissions: { admin: false, push: true, pull: true },
    })
  })

  it('returns 404 for a repository that is not in the team or its organization', async () => {
    const { root, org, team } = await makeCastWithRepository()
    const unattached = await makeRepository(site.db, org.id)
    const elsewhere = await makeOrg(site.db, root.account.id)
    const foreign = await makeRepository(site.db, elsewhere.id)
    for (const asked of [
      `/teams/${team.id}/repos/${org.name}/${unattached.name}`,
      `/teams/${team.id}/repos/${org.name}/no-such-repo`,
      `/teams/${team.id}/repos/${org.name}/${foreign.name}`,
      `/teams/${team.id}/repos/${elsewhere.name}/${foreign.name}`,
      `/teams/${team.id}/repos/no-such-org/${unattached.name}`,
      `/teams/${team.id}/repos/%00/${unattached.name}`,
    ]) {
      expect([asked, ...(await answersTo(site, 'GET', asked, [root]))]).toEqual([asked, refusals.hidden])
    }
  })

  it('ignores the organization name in the path, as do PUT and DELETE (200 and 204)', async () => {
    const { owner, org, repository, path } = await makeCastWithRepository()
    for (const name of [`former-${org.name}`, owner.name]) {
      const other = path.replace(org.name, name)
      expect((await call(site, 'GET', other, { as: owner })).body.id).toBe(repository.id)
      for (const method of ['DELETE', 'PUT']) {
        expect((await call(site, method, other, { as: owner })).status).toBe(204)
      }
    }
  })
})

describe('PUT /teams/{id}/repos/{org}/{repo}', () => {
  it('returns 204 to owners and site administrators, 403 without admin access, and 404 to outsiders, as does DELETE', async () => {
    const { root, owner, inTeam, member, outsider, path } = await makeCastWithRepository()
    const people = [root, owner, inTeam, member, outsider, undefined]
    for (const method of ['PUT', 'DELETE']) {
      expect(await answersTo(site, method, path, people)).toEqual([
        [204, undefined],
        [204, undefined],
        notAdmin,
        refusals.notInTeam,
        refusals.hidden,
        refusals.anonymous,
      ])
    }
  })

  it('returns 204, grants members their permissions, and changes nothing when repeated', async () => {
    const { owner, inTeam, org, team } = await makeTeamCast(site)
    const repository = await makeRepository(site.db, org.id, { is_private: true })
    const path = `/teams/${team.id}/repos/${org.name}/${repository.name}`
    for (let count = 0; count < 2; count++) {
      expect((await call(site, 'PUT', path, { as: owner })).status).toBe(204)
    }
    const seen = await list(inTeam, team)
    expect([names(seen), seen.headers.get('x-total-count')]).toEqual([[repository.name], '1'])
    const events = await site.db
      .selectFrom('events')
      .select(['kind', 'data'])
      .where('owner_id', '=', org.id)
      .execute()
    expect(events).toEqual([
      {
        kind: 'team.repository_added',
        data: { teamId: team.id, team: team.name, repositoryId: repository.id, repository: repository.name },
      },
    ])
  })

  it('returns 204 to a team member with admin permission on the code from any source', async () => {
    const cast = await makeTeamCast(site)
    const { inTeam, org, team } = cast
    const path = async (repository: { name: string }) =>
      (await call(site, 'PUT', `/teams/${team.id}/repos/${org.name}/${repository.name}`, { as: inTeam }))
        .status
    const shared = await makeRepository(site.db, org.id)
    const user_id = inTeam.account.id
    const grant = { repository_id: shared.id, user_id } as const
    await site.db
      .insertInto('repository_collaborators')
      .values({ ...grant, mode: 'write' })
      .execute()
    expect(await path(shared)).toBe(403)
    await site.db
      .updateTable('repository_collaborators')
      .set({ mode: 'admin' })
      .where('user_id', '=', user_id)
      .execute()
    expect(await path(shared)).toBe(204)
    const managed = await makeRepository(site.db, org.id)
    const managers = await makeTeam(site.db, org.id, { mode: 'read' }, { 'repo.code': 'admin' })
    await addToTeam(site.db, managers, user_id)
    await attach(site.db, managers, managed.id)
    expect(await path(managed)).toBe(204)
  })

  it('returns 403 for a private repository of the organization that the caller cannot see', async () => {
    const { inTeam, org, team } = await makeTeamCast(site)
    const secret = await makeRepository(site.db, org.id, { is_private: true })
    const path = `/teams/${team.id}/repos/${org.name}/${secret.name}`
    expect(await answersTo(site, 'PUT', path, [inTeam])).toEqual([notAdmin])
  })

  it('returns 404 for a repository that is not in the team’s organization, as does DELETE', async () => {
    const { root, org, team } = await makeTeamCast(site)
    const foreign = await makeRepository(site.db, root.account.id)
    for (const method of ['PUT', 'DELETE']) {
      for (const path of [
        `/teams/${team.id}/repos/${org.name}/no-such-repo`,
        `/teams/${team.id}/repos/${org.name}/${foreign.name}`,
        `/teams/${team.id}/repos/${root.name}/${foreign.name}`,
        `/teams/999999999/repos/${org.name}/no-such-repo`,
      ]) {
        expect(await answersTo(site, method, path, [root])).toEqual([refusals.hidden])
      }
    }
  })
})

describe('DELETE /teams/{id}/repos/{org}/{repo}', () => {
  it('returns 204, keeps the repository itself, and changes nothing when repeated', async () => {
    const { owner, team, org, repository, path } = await makeCastWithRepository()
    for (let count = 0; count < 2; count++) {
      expect(statusAndMessage(await call(site, 'DELETE', path, { as: owner }))).toEqual([204, undefined])
    }
    expect((await list(owner, team)).headers.get('x-total-count')).toBe('0')
    expect((await call(site, 'GET', `/repos/${org.name}/${repository.name}`, { as: owner })).status).toBe(200)
    const events = await site.db.selectFrom('events').select('kind').where('owner_id', '=', org.id).execute()
    expect(events.map(event => event.kind)).toEqual(['team.repository_removed'])
  })

  it('returns 204 and keeps the repository of a team that includes all repositories', async () => {
    const { owner, org } = await makeTeamCast(site)
    const team = await makeTeam(site.db, org.id, { includes_all_repositories: true })
    const repository = await makeRepository(site.db, org.id)
    const path = `/teams/${team.id}/repos/${org.name}/${repository.name}`
    expect((await call(site, 'DELETE', path, { as: owner })).status).toBe(204)
    expect((await call(site, 'GET', path, { as: owner })).status).toBe(200)
  })
})
