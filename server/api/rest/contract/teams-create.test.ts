import { describe, expect, it } from 'vitest'
import { makeOrg, makeRepository, makeTeam } from '@/db/testing/factories'
import { call } from '@/testing/call'
import { countQueries } from '@/testing/count-queries'
import { makeHook } from '@/testing/hooks'
import { makePerson, type Person } from '@/testing/people'
import { useSite } from '@/testing/site'
import { answersTo, makeTeamCast, refusals, statusAndMessage } from '@/testing/team-cast'

const site = useSite()
const wrongValue = (field: string) => `[${field}]: In: Choose none, read, write, or admin.`
const readers = { name: 'readers', permission: 'read', units: ['repo.code'] }

async function makeOwner(): Promise<{ owner: Person; org: { id: number; name: string } }> {
  const owner = await makePerson(site)
  return { owner, org: await makeOrg(site.db, owner.account.id) }
}

async function create(fields: object, where?: Awaited<ReturnType<typeof makeOwner>>) {
  const { owner, org } = where ?? (await makeOwner())
  return await call(site, 'POST', `/orgs/${org.name}/teams`, { as: owner, body: fields })
}

describe('POST /orgs/{org}/teams', () => {
  it('returns 201 to owners and site administrators, 403 to others, and 404 if the organization is hidden', async () => {
    const { root, owner, inTeam, member, outsider, org } = await makeTeamCast(site)
    const path = `/orgs/${org.name}/teams`
    expect(await answersTo(site, 'POST', path, [owner], readers)).toEqual([[201, undefined]])
    expect(await answersTo(site, 'POST', path, [root], { ...readers, name: 'by-root' })).toEqual([
      [201, undefined],
    ])
    const others = [inTeam, member, outsider]
    expect(await answersTo(site, 'POST', path, others, { ...readers, name: 'x' })).toEqual(
      others.map(() => refusals.notOwner),
    )
    expect(await answersTo(site, 'POST', path, [undefined], readers)).toEqual([refusals.anonymous])
    const hidden = await makeTeamCast(site, { org: { visibility: 'private' } })
    for (const name of [hidden.org.name, 'no-such-org', owner.name]) {
      expect(await answersTo(site, 'POST', `/orgs/${name}/teams`, [outsider], readers)).toEqual([
        refusals.hidden,
      ])
    }
  })

  it('returns 201 and all fields of the request, as does a later GET', async () => {
    const where = await makeOwner()
    const made = await create({ ...readers, description: 'They read.', can_create_org_repo: true }, where)
    expect(made.status).toBe(201)
    expect(made.body).toEqual({
      id: expect.any(Number),
      name: 'readers',
      description: 'They read.',
      organization: expect.objectContaining({ id: where.org.id, username: where.org.name }),
      includes_all_repositories: false,
      permission: 'read',
      units: ['repo.code'],
      units_map: { 'repo.code': 'read' },
      can_create_org_repo: true,
    })
    const read = await call(site, 'GET', `/teams/${made.body.id}`, { as: where.owner })
    expect(read.body).toEqual(made.body)
  })

  it('returns 201 and applies the permission to each unit, ignoring the case of unit names', async () => {
    const { body } = await create({ name: 't', permission: 'write', units: ['REPO.Wiki', 'repo.code'] })
    expect(body).toMatchObject({
      permission: 'write',
      units: ['repo.code', 'repo.wiki'],
      units_map: { 'repo.code': 'write', 'repo.wiki': 'write' },
    })
  })

  it('returns 201 and prefers units_map to units, with one permission for each unit', async () => {
    const { body } = await create({
      name: 't',
      permission: 'read',
      units: ['repo.actions'],
      units_map: {
        'repo.code': 'admin',
        'repo.wiki': 'write',
        'repo.ext_wiki': 'write',
        'repo.pulls': 'none',
      },
    })
    expect(body).toMatchObject({
      permission: 'read',
      units: ['repo.code', 'repo.pulls', 'repo.wiki', 'repo.ext_wiki'],
      units_map: {
        'repo.code': 'admin',
        'repo.wiki': 'write',
        'repo.ext_wiki': 'read',
        'repo.pulls': 'none',
      },
    })
    expect(body.units_map).not.toHaveProperty(['repo.actions'])
  })

  it('returns 201 and gives an admin team all units as admin, and external ones as read', async () => {
    const { body } = await create({ name: 't', permission: 'admin', units: ['repo.code'] })
    expect(body.permission).toBe('admin')
    expect(body.units).toHaveLength(10)
    const { 'repo.ext_issues': issues, 'repo.ext_wiki': wiki, ...rest } = body.units_map
    expect([issues, wiki]).toEqual(['read', 'read'])
    expect(Object.values(rest)).toEqual(Array(8).fill('admin'))
    const stored = await site.db
      .selectFrom('team_units')
      .select(['unit', 'mode', 'org_id'])
      .where('team_id', '=', body.id)
      .execute()
    expect(stored).toHaveLength(10)
    expect(stored).toContainEqual({ unit: 'repo.ext_wiki', mode: 'read', org_id: body.organization.id })
  })

  it.each(['none', ''])('returns 201 for the permission %j, which grants nothing', async permission => {
    const { status, body } = await create({ name: 't', permission, units: ['repo.code'] })
    expect(status).toBe(201)
    expect(body).toMatchObject({
      permission: 'none',
      units: ['repo.code'],
      units_map: { 'repo.code': 'none' },
    })
  })

  it.each([{}, { units: [] }, { units: null, units_map: null }, { units: [], units_map: {} }])(
    'returns 500 for a team below admin without units: %j',
    async none => {
      const where = await makeOwner()
      const answer = await create({ name: 'x', permission: 'write', ...none }, where)
      expect(answer.status).toBe(500)
      expect(answer.body).toEqual({
        message: 'units permission should not be empty',
        url: `${site.url}/api/docs`,
      })
      expect((await create({ ...readers, name: 'x' }, where)).status).toBe(201)
    },
  )

  it('returns 422 with the name for a name in use in the organization, ignoring case', async () => {
    const where = await makeOwner()
    await makeTeam(site.db, where.org.id, { name: 'Readers' })
    const inUse = (name: string) => [
      422,
      `team already exists [org_id: ${where.org.id}, name: ${name.toLowerCase()}]`,
    ]
    expect(statusAndMessage(await create({ ...readers, name: 'rEADers' }, where))).toEqual(inUse('readers'))
    expect(statusAndMessage(await create({ ...readers, name: 'owners' }, where))).toEqual(inUse('owners'))
    expect((await create(readers)).status).toBe(201)
  })

  it('returns 201 to one of two concurrent requests for a name, and 422 to the other', async () => {
    const where = await makeOwner()
    const both = await Promise.all([create(readers, where), create({ ...readers, name: 'READERS' }, where)])
    expect(both.map(answer => answer.status).sort()).toEqual([201, 422])
    const { body } = await call(site, 'GET', `/orgs/${where.org.name}/teams`, { as: where.owner })
    expect(body).toHaveLength(2)
  })

  it('returns 422 with the name of an unknown unit', async () => {
    for (const unknown of [
      { units: ['repo.code', 'repo.kode'] },
      { units_map: { 'repo.kode': 'read' } },
      { permission: 'admin', units: ['repo.kode'] },
    ]) {
      const answer = await create({ ...readers, ...unknown })
      expect(statusAndMessage(answer)).toEqual([422, expect.stringContaining('unknown unit [repo.kode]')])
    }
  })

  it.each<[string, object, string | RegExp]>([
    ['an unknown permission', { permission: 'maintain' }, wrongValue('Permission')],
    ['a permission in another case', { permission: 'Admin' }, wrongValue('Permission')],
    ['a permission that only owners have', { permission: 'owner' }, /Choose none, read, write, or admin/],
    [
      'no permission there is in a map',
      { units_map: { 'repo.code': 'Write' } },
      '[UnitsMap]: In: units_map.repo.code: Choose none, read, write, or admin.',
    ],
    ['no name', { name: undefined }, '[Name]: Required'],
    ['an empty name', { name: '' }, '[Name]: Required'],
    ['a name of spaces', { name: '  ' }, '[Name]: Required'],
    ['a name with a space', { name: 'a b' }, /^\[Name\]: AlphaDashDot/],
    ['a name with a slash', { name: 'a/b' }, /^\[Name\]: AlphaDashDot/],
    ['a non-ASCII name', { name: 'käse' }, /^\[Name\]: AlphaDashDot/],
    ['a long name', { name: 'x'.repeat(256) }, /^\[Name\]: MaxSize/],
    ['a reserved name', { name: 'NEW' }, 'name is reserved [name: NEW]'],
    ['a name that is a path', { name: '..' }, 'name is reserved [name: ..]'],
    ['a long description', { description: 'x'.repeat(256) }, /^\[Description\]: MaxSize/],
    ['units that are no list', { units: 'repo.code' }, /^\[\]: units/],
    ['a units_map of numbers', { units_map: { 'repo.code': 1 } }, /units_map|UnitsMap/],
    ['a flag that is none', { can_create_org_repo: 'yes' }, /can_create_org_repo|CanCreateOrgRepo/],
  ])('returns 422 for %s', async (_, fields, message) => {
    const answer = await create({ ...readers, ...fields })
    expect(answer.status).toBe(422)
    expect(answer.body.message).toEqual(
      typeof message === 'string' ? message : expect.stringMatching(message),
    )
  })

  it('returns 201 for the longest name and description', async () => {
    const fields = { name: 'x'.repeat(255), description: 'd'.repeat(255) }
    expect((await create({ ...readers, ...fields })).body).toMatchObject(fields)
  })

  it('returns 201 and immediately adds all of the organization’s repositories with includes_all_repositories', async () => {
    const where = await makeOwner()
    const first = await makeRepository(site.db, where.org.id)
    const second = await makeRepository(site.db, where.org.id, { is_private: true })
    await makeRepository(site.db, where.owner.account.id)
    const { body } = await create({ ...readers, includes_all_repositories: true }, where)
    expect(body.includes_all_repositories).toBe(true)
    const repos = await call(site, 'GET', `/teams/${body.id}/repos`, { as: where.owner })
    expect(repos.headers.get('x-total-count')).toBe('2')
    expect(repos.body.map((repo: { id: number }) => repo.id).sort()).toEqual([first.id, second.id].sort())
  })

  it('needs at most three statements in its transaction, even with a webhook and all repositories', async () => {
    const where = await makeOwner()
    await makeHook(site, { owner_id: where.org.id })
    await makeRepository(site.db, where.org.id)
    const queries = countQueries(site)
    const { status } = await create({ ...readers, includes_all_repositories: true }, where)
    expect(status).toBe(201)
    expect(queries.inTransaction).toBeGreaterThan(0)
    expect(queries.inTransaction).toBeLessThanOrEqual(3)
  })

  it('records an event', async () => {
    const where = await makeOwner()
    const { body } = await create(readers, where)
    const event = await site.db
      .selectFrom('events')
      .select(['kind', 'actor_id', 'data'])
      .where('owner_id', '=', where.org.id)
      .executeTakeFirstOrThrow()
    expect(event).toMatchObject({
      kind: 'team.created',
      actor_id: where.owner.account.id,
      data: { teamId: body.id, team: 'readers', permission: 'read' },
    })
  })
})
