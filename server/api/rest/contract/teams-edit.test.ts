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
  it('200: for owners and site admins; 403 for members, of the team or not, 404 for outsiders', async () => {
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

  it('200: what is not given stays, and the answer is what is read afterwards', async () => {
    const { owner, team, org } = await makeTeamCast(site, writers)
    const before = await call(site, 'GET', `/teams/${team.id}`, { as: owner })
    const unchanged = await edit(owner, team.id, {})
    expect([unchanged.status, unchanged.body]).toEqual([200, before.body])
    const after = await edit(owner, team.id, { name: 'renamed', can_create_org_repo: true })
    expect(after.body).toEqual({ ...before.body, name: 'renamed', can_create_org_repo: true })
    expect(after.body.organization.id).toBe(org.id)
    expect((await call(site, 'GET', `/teams/${team.id}`, { as: owner })).body).toEqual(after.body)
  })

  it('200: an empty name and null leave everything, an empty description empties it', async () => {
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

  it('200: a new permission alone leaves the units of a team below admin', async () => {
    const { owner, team } = await makeTeamCast(site, writers)
    for (const nothing of [{}, { units: [], units_map: {} }]) {
      const { body } = await edit(owner, team.id, { permission: 'read', ...nothing })
      expect(body).toMatchObject({ permission: 'read', units_map: writers.units })
    }
  })

  it('200: units are rebuilt from units_map before units, as when a team is made', async () => {
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

  it('200: an admin team has every unit, and none as admin that nobody chose when it is one no more', async () => {
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

  it('200: includes_all_repositories attaches all at once, but only along with a permission', async () => {
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

  it('200: turning it off detaches nothing, and leaving it out changes nothing', async () => {
    const { owner, team, org } = await makeTeamCast(site, writers)
    await makeRepository(site.db, org.id)
    await edit(owner, team.id, { permission: 'write', includes_all_repositories: true })
    expect((await edit(owner, team.id, { permission: 'read' })).body.includes_all_repositories).toBe(true)
    const off = await edit(owner, team.id, { permission: 'read', includes_all_repositories: false })
    expect(off.body.includes_all_repositories).toBe(false)
    expect(await repositoryCount(owner, team.id)).toBe('1')
  })

  it('200: another case of its own name', async () => {
    const { owner, team } = await makeTeamCast(site, { team: { name: 'readers' } })
    expect((await edit(owner, team.id, { name: 'Readers' })).body.name).toBe('Readers')
  })

  it('422: a name that another team has, in any case, and says which', async () => {
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

  it('200 and 422: of two teams given one name at the same time, one has it', async () => {
    const { owner, team, org } = await makeTeamCast(site)
    const other = await makeTeam(site.db, org.id)
    const both = await Promise.all([team, other].map(({ id }) => edit(owner, id, { name: 'wanted' })))
    expect(both.map(answer => answer.status).sort()).toEqual([200, 422])
  })

  it('200: two edits at the same time, each whole', async () => {
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
  ])('422: %s', async (_, body, message) => {
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
    '422: a word in [%s] that is no permission names those there are, and changes nothing: %j',
    async (field, words) => {
      const { owner, team } = await makeTeamCast(site, writers)
      const before = await call(site, 'GET', `/teams/${team.id}`, { as: owner })
      const answer = await edit(owner, team.id, { name: 'renamed', description: 'new', ...words })
      expect(answer.status).toBe(422)
      expect(answer.body.message).toContain(`[${field}]`)
      expect(answer.body.message).toContain('none, read, write or admin')
      expect((await call(site, 'GET', `/teams/${team.id}`, { as: owner })).body).toEqual(before.body)
    },
  )

  it('422: owner, which only the Owners team has', async () => {
    const { owner, team } = await makeTeamCast(site, writers)
    for (const words of [{ permission: 'owner' }, { units_map: { 'repo.code': 'owner' } }]) {
      expect((await edit(owner, team.id, words)).status).toBe(422)
    }
  })

  it('200: empty words and null change no permission', async () => {
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

  it('writes an event that tells of it', async () => {
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

describe('PATCH on the Owners team', () => {
  it('200: the description is applied; permission, units, reach and creating stay', async () => {
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

  it('403: another name, and says why', async () => {
    const { owner, root, org } = await makeTeamCast(site)
    for (const as of [owner, root]) {
      expect(statusAndMessage(await edit(as, org.ownersTeamId, { name: 'bosses' }))).toEqual([
        403,
        'the Owners team cannot be renamed',
      ])
    }
  })
})
