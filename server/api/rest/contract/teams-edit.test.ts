// @module-tag embedded
import { describe, expect, it } from 'vitest'
import { attach, makeRepository, makeTeam } from '@/db/testing/factories'
import { call } from '@/testing/call'
import type { Person } from '@/testing/people'
import { useSite } from '@/testing/site'
import { answersTo, makeTeamCast, refusals, statusAndMessage } from '@/testing/team-cast'

const site = useSite()

async function edit(as: Person, id: number, body: object) {
  return await call(site, 'PATCH', `/teams/${id}`, { as, body })
}

const repositoryCount = async (as: Person, id: number) =>
  (await call(site, 'GET', `/teams/${id}/repos`, { as })).headers.get('x-total-count')

const writers = {
  team: { mode: 'write' },
  units: { 'repo.code': 'write', 'repo.wiki': 'read' },
} as const

describe('PATCH /teams/{id}', () => {
  it('returns 200 to owners and site administrators, 403 to members, and 404 to outsiders', async () => {
    const { root, owner, inTeam, member, outsider, team } = await makeTeamCast(site)
    const people = [root, owner, inTeam, member, outsider, undefined]
    expect(await answersTo(site, 'PATCH', `/teams/${team.id}`, people, { description: 'x' })).toEqual([
      [200, undefined],
      [200, undefined],
      refusals.notOwner,
      refusals.notOwner,
      refusals.hidden,
      refusals.anonymous,
    ])
    for (const id of ['999999999', 'abc']) {
      expect(await answersTo(site, 'PATCH', `/teams/${id}`, [root], {})).toEqual([refusals.hidden])
    }
  })

  it('returns 200 and the team as stored, and keeps absent fields', async () => {
    const { owner, team, org } = await makeTeamCast(site, writers)
    const before = await call(site, 'GET', `/teams/${team.id}`, { as: owner })
    const unchanged = await edit(owner, team.id, {})
    expect([unchanged.status, unchanged.body]).toEqual([200, before.body])
    const after = await edit(owner, team.id, { name: 'renamed', can_create_org_repo: true })
    expect(after.body).toEqual({ ...before.body, name: 'renamed', can_create_org_repo: true })
    expect(after.body.organization.id).toBe(org.id)
    expect((await call(site, 'GET', `/teams/${team.id}`, { as: owner })).body).toEqual(after.body)
  })

  it('returns 200 and ignores an empty name and null, but clears an empty description', async () => {
    const { owner, team } = await makeTeamCast(site, {
      team: { description: 'old', can_create_org_repo: true },
    })
    const nothing = { name: '', description: null, units: null, units_map: null, can_create_org_repo: null }
    expect((await edit(owner, team.id, nothing)).body).toMatchObject({
      name: team.name,
      description: 'old',
      can_create_org_repo: true,
    })
    expect((await edit(owner, team.id, { description: '' })).body.description).toBe('')
    expect((await edit(owner, team.id, { can_create_org_repo: false })).body.can_create_org_repo).toBe(false)
  })

  it('returns 200 and keeps the units of a team below admin if only the permission changes', async () => {
    const { owner, team } = await makeTeamCast(site, writers)
    for (const nothing of [{}, { units: [], units_map: {} }]) {
      const { body } = await edit(owner, team.id, { permission: 'read', ...nothing })
      expect(body).toMatchObject({ permission: 'read', units_map: writers.units })
    }
  })

  it('returns 200 and replaces the units with units_map or else units, as POST /orgs/{org}/teams does', async () => {
    const { owner, team } = await makeTeamCast(site, writers)
    const listed = await edit(owner, team.id, { permission: 'read', units: ['repo.actions'] })
    expect(listed.body).toMatchObject({ permission: 'read', units_map: { 'repo.actions': 'read' } })
    expect(Object.keys(listed.body.units_map)).toEqual(['repo.actions'])
    const units_map = { 'repo.code': 'admin', 'repo.ext_wiki': 'write' }
    const mapped = await edit(owner, team.id, { permission: 'read', units: ['repo.wiki'], units_map })
    expect(mapped.body.units_map).toEqual({ 'repo.code': 'admin', 'repo.ext_wiki': 'read' })
    const own = await edit(owner, team.id, { units: ['repo.wiki'] })
    expect(own.body).toMatchObject({ permission: 'read', units_map: { 'repo.wiki': 'read' } })
  })

  it('returns 200, gives an admin team all units, and resets them to the new permission below admin', async () => {
    const { owner, team } = await makeTeamCast(site, writers)
    const raised = await edit(owner, team.id, { permission: 'admin', units: ['repo.code'] })
    expect(raised.body).toMatchObject({
      permission: 'admin',
      units_map: { 'repo.code': 'admin', 'repo.actions': 'admin', 'repo.ext_wiki': 'read' },
    })
    expect(raised.body.units).toHaveLength(10)
    expect((await edit(owner, team.id, { units: ['repo.code'] })).body).toEqual(raised.body)
    const lowered = await edit(owner, team.id, { permission: 'read' })
    expect(lowered.body.units).toHaveLength(10)
    expect(new Set(Object.values(lowered.body.units_map))).toEqual(new Set(['read']))
  })

  it('returns 200 and adds all repositories for includes_all_repositories, but only together with a permission', async () => {
    const { owner, team, org } = await makeTeamCast(site, writers)
    await attach(site.db, team, (await makeRepository(site.db, org.id)).id)
    await makeRepository(site.db, org.id)
    const alone = await edit(owner, team.id, { includes_all_repositories: true })
    expect(alone.body.includes_all_repositories).toBe(false)
    expect(await repositoryCount(owner, team.id)).toBe('1')
    const all = await edit(owner, team.id, { permission: 'write', includes_all_repositories: true })
    expect(all.body.includes_all_repositories).toBe(true)
    expect(await repositoryCount(owner, team.id)).toBe('2')
  })

  it('returns 200 and keeps the repositories when includes_all_repositories is turned off or absent', async () => {
    const { owner, team, org } = await makeTeamCast(site, writers)
    await makeRepository(site.db, org.id)
    await edit(owner, team.id, { permission: 'write', includes_all_repositories: true })
    expect((await edit(owner, team.id, { permission: 'read' })).body.includes_all_repositories).toBe(true)
    const off = await edit(owner, team.id, { permission: 'read', includes_all_repositories: false })
    expect(off.body.includes_all_repositories).toBe(false)
    expect(await repositoryCount(owner, team.id)).toBe('1')
  })

  it('returns 200 for another case of the team’s name', async () => {
    const { owner, team } = await makeTeamCast(site, { team: { name: 'readers' } })
    expect((await edit(owner, team.id, { name: 'Readers' })).body.name).toBe('Readers')
  })

  it('returns 422 with the name for another team’s name, ignoring case', async () => {
    const { owner, team, org } = await makeTeamCast(site)
    const other = await makeTeam(site.db, org.id)
    for (const name of [other.name.toUpperCase(), 'OWNERS']) {
      expect(statusAndMessage(await edit(owner, team.id, { name, description: 'lost' }))).toEqual([
        422,
        `team already exists [org_id: ${org.id}, name: ${name.toLowerCase()}]`,
      ])
    }
    const { body } = await call(site, 'GET', `/teams/${team.id}`, { as: owner })
    expect(body).toMatchObject({ name: team.name, description: '' })
  })

  it('returns 200 to one of two concurrent requests for a name, and 422 to the other', async () => {
    const { owner, team, org } = await makeTeamCast(site)
    const other = await makeTeam(site.db, org.id)
    const both = await Promise.all([team, other].map(({ id }) => edit(owner, id, { name: 'wanted' })))
    expect(both.map(answer => answer.status).sort()).toEqual([200, 422])
  })

  it('returns 200 to two concurrent requests, and stores exactly one of them', async () => {
    const { owner, team } = await makeTeamCast(site, writers)
    const both = await Promise.all([
      edit(owner, team.id, { permission: 'read', units: ['repo.code', 'repo.wiki', 'repo.pulls'] }),
      edit(owner, team.id, { permission: 'write', units: ['repo.code', 'repo.actions'] }),
    ])
    expect(both.map(answer => answer.status)).toEqual([200, 200])
    const { body } = await call(site, 'GET', `/teams/${team.id}`, { as: owner })
    expect(both.map(answer => answer.body.units_map)).toContainEqual(body.units_map)
  })

  it.each<[string, object, string | RegExp]>([
    ['a name with a space', { name: 'a b' }, /^\[Name\]: AlphaDashDot/],
    ['a long name', { name: 'x'.repeat(256) }, /^\[Name\]: MaxSize/],
    ['a reserved name', { name: 'new' }, 'name is reserved [name: new]'],
    ['a long description', { description: 'x'.repeat(256) }, /^\[Description\]: MaxSize/],
    ['an unknown unit', { units: ['repo.kode'] }, /unknown unit \[repo\.kode\]/],
    ['an unknown unit of a map', { units_map: { kode: 'read' } }, /unknown unit \[kode\]/],
  ])('returns 422 for %s', async (_, body, message) => {
    const { owner, team } = await makeTeamCast(site)
    const answer = await edit(owner, team.id, body)
    expect(answer.status).toBe(422)
    expect(answer.body.message).toEqual(
      typeof message === 'string' ? message : expect.stringMatching(message),
    )
  })

  it.each<[string, object]>([
    ['Permission', { permission: 'Admin' }],
    ['Permission', { permission: 'maintain' }],
    ['Permission', { permission: 'push' }],
    ['UnitsMap', { units_map: { 'repo.code': 'Write' } }],
    ['UnitsMap', { permission: 'read', units_map: { 'repo.code': 'read', 'repo.wiki': 'pull' } }],
  ])(
    'returns 422 for an unknown permission in [%s], lists the valid ones, and changes nothing: %j',
    async (field, words) => {
      const { owner, team } = await makeTeamCast(site, writers)
      const before = await call(site, 'GET', `/teams/${team.id}`, { as: owner })
      const answer = await edit(owner, team.id, { name: 'renamed', description: 'new', ...words })
      expect(answer.status).toBe(422)
      expect(answer.body.message).toContain(`[${field}]`)
      expect(answer.body.message).toContain('none, read, write, or admin')
      expect((await call(site, 'GET', `/teams/${team.id}`, { as: owner })).body).toEqual(before.body)
    },
  )

  it('returns 422 for the permission owner, which only the Owners team has', async () => {
    const { owner, team } = await makeTeamCast(site, writers)
    for (const words of [{ permission: 'owner' }, { units_map: { 'repo.code': 'owner' } }]) {
      expect((await edit(owner, team.id, words)).status).toBe(422)
    }
  })

  it('returns 200 and ignores empty and null permissions', async () => {
    const { owner, team } = await makeTeamCast(site, writers)
    const before = await call(site, 'GET', `/teams/${team.id}`, { as: owner })
    for (const words of [
      { permission: '', units_map: { 'repo.code': '' } },
      { permission: null, units_map: { 'repo.code': null, 'repo.wiki': '' } },
    ]) {
      expect((await edit(owner, team.id, words)).body).toEqual(before.body)
    }
    const units_map = { 'repo.code': '', 'repo.wiki': 'write' }
    expect((await edit(owner, team.id, { units_map })).body.units_map).toEqual({
      'repo.code': 'write',
      'repo.wiki': 'write',
    })
  })

  it('records an event', async () => {
    const { owner, team, org } = await makeTeamCast(site)
    await edit(owner, team.id, { name: 'renamed', permission: 'admin' })
    const event = await site.db
      .selectFrom('events')
      .select(['kind', 'data'])
      .where('owner_id', '=', org.id)
      .executeTakeFirstOrThrow()
    expect(event).toEqual({
      kind: 'team.edited',
      data: { teamId: team.id, team: 'renamed', permission: 'admin' },
    })
  })
})

describe('PATCH /teams/{id} of the Owners team', () => {
  it('returns 200 and changes only the description', async () => {
    const { owner, org } = await makeTeamCast(site)
    const before = (await call(site, 'GET', `/teams/${org.ownersTeamId}`, { as: owner })).body
    const { status, body } = await edit(owner, org.ownersTeamId, {
      name: 'owners',
      description: 'They own.',
      permission: 'read',
      units: ['repo.code'],
      units_map: { 'repo.code': 'none' },
      includes_all_repositories: false,
      can_create_org_repo: false,
    })
    expect([status, body]).toEqual([200, { ...before, description: 'They own.' }])
    const { permission, units_map } = before
    expect((await edit(owner, org.ownersTeamId, { permission, units_map })).body).toEqual(body)
    expect(body).toMatchObject({ name: 'Owners', permission: 'owner', can_create_org_repo: true })
  })

  it('returns 403 for another name, with the reason', async () => {
    const { owner, root, org } = await makeTeamCast(site)
    for (const as of [owner, root]) {
      expect(statusAndMessage(await edit(as, org.ownersTeamId, { name: 'bosses' }))).toEqual([
        403,
        'the Owners team cannot be renamed',
      ])
    }
  })
})
