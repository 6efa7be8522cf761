import { describe, expect, it } from 'vitest'
import { addToTeam, attach, makeRepository, makeTeam } from '@/db/testing/factories'
import { Browser, signIn } from '@/testing/browser'
import { useSite } from '@/testing/site'
import { makeTeamCast } from '@/testing/team-cast'

const site = useSite()

const readers = { team: { mode: 'read' }, units: { 'repo.code': 'read', 'repo.wiki': 'read' } } as const
/** Permissions that the page has shown for such a team. */
const read = { permission: 'read', units_map: readers.units }
const onlyCode = { permission: 'read', units_map: { 'repo.code': 'read' } }

describe('teams.preview', () => {
  it('returns who would gain what, and saves nothing', async () => {
    const { owner, inTeam, org, team } = await makeTeamCast(site, readers)
    await addToTeam(site.db, team, owner.account.id)
    for (let count = 0; count < 2; count++) {
      await attach(site.db, team, (await makeRepository(site.db, org.id, { is_private: true })).id)
    }
    const browser = await signIn(site, owner)
    const edit = { id: team.id, permission: 'write', units: ['repo.code'], expected: read }
    const { data } = await browser.query('teams.preview', edit)
    expect(data).toEqual({
      units: [
        { unit: 'repo.code', before: 'read', after: 'write' },
        { unit: 'repo.wiki', before: 'read', after: 'none' },
      ],
      members: [
        {
          username: inTeam.name,
          full_name: '',
          changes: [
            { unit: 'repo.code', before: 'read', after: 'write', repositories: 2 },
            { unit: 'repo.wiki', before: 'read', after: 'none', repositories: 2 },
          ],
        },
      ],
      members_looked_at: 2,
      members_total: 2,
      repositories_looked_at: 2,
      repositories_total: 2,
    })
    const unchanged = await browser.query('teams.get', { id: team.id })
    expect(unchanged.data).toMatchObject({ permission: 'read', units: ['repo.code', 'repo.wiki'] })
  })

  it('omits changes that other teams, a collaboration, or public visibility already cover', async () => {
    const { owner, inTeam, org, team } = await makeTeamCast(site, readers)
    const other = await makeTeam(
      site.db,
      org.id,
      { mode: 'read' },
      { 'repo.code': 'write', 'repo.wiki': 'read' },
    )
    await addToTeam(site.db, other, inTeam.account.id)
    const [shared, collaborated, open, alone] = [
      await makeRepository(site.db, org.id, { is_private: true }),
      await makeRepository(site.db, org.id, { is_private: true }),
      await makeRepository(site.db, org.id),
      await makeRepository(site.db, org.id, { is_private: true }),
    ]
    for (const { id } of [shared, collaborated, open, alone]) await attach(site.db, team, id)
    await attach(site.db, other, shared.id)
    const grant = { repository_id: collaborated.id, user_id: inTeam.account.id, mode: 'read' } as const
    await site.db.insertInto('repository_collaborators').values(grant).execute()
    const browser = await signIn(site, owner)
    const { data } = await browser.query('teams.preview', {
      id: team.id,
      units_map: { 'repo.code': 'read' },
      expected: read,
    })
    expect(data.members).toEqual([
      {
        username: inTeam.name,
        full_name: '',
        changes: [{ unit: 'repo.wiki', before: 'read', after: 'none', repositories: 1 }],
      },
    ])
  })

  it('includes all of the organization’s repositories if the team is to include them', async () => {
    const { owner, org, team } = await makeTeamCast(site, readers)
    for (let count = 0; count < 3; count++) await makeRepository(site.db, org.id, { is_private: true })
    const browser = await signIn(site, owner)
    const { data } = await browser.query('teams.preview', {
      id: team.id,
      permission: 'read',
      includes_all_repositories: true,
      expected: read,
    })
    expect(data).toMatchObject({ units: [], repositories_looked_at: 3, repositories_total: 3 })
    expect(data.members[0].changes).toEqual([
      { unit: 'repo.code', before: 'none', after: 'read', repositories: 3 },
      { unit: 'repo.wiki', before: 'none', after: 'read', repositories: 3 },
    ])
  })

  it('returns no changes for the Owners team', async () => {
    const { owner, org } = await makeTeamCast(site)
    const browser = await signIn(site, owner)
    const { data } = await browser.query('teams.preview', {
      id: org.ownersTeamId,
      permission: 'read',
      expected: { permission: 'owner', units_map: {} },
    })
    expect(data).toMatchObject({ units: [], members: [], members_total: 1 })
  })

  it('returns 403 to members, 404 to outsiders, and 401 to visitors who are not signed in', async () => {
    const { inTeam, outsider, team } = await makeTeamCast(site)
    const asked = { id: team.id, permission: 'read', expected: onlyCode }
    const status = async (browser: Browser) => (await browser.query('teams.preview', asked)).status
    expect(await status(await signIn(site, inTeam))).toBe(403)
    expect(await status(await signIn(site, outsider))).toBe(404)
    expect(await status(new Browser(site))).toBe(401)
  })

  it('returns 422 for an unknown unit, on its field', async () => {
    const { owner, team } = await makeTeamCast(site)
    const browser = await signIn(site, owner)
    const answer = await browser.query('teams.preview', {
      id: team.id,
      units_map: { 'repo.kode': 'read' },
      expected: onlyCode,
    })
    expect([answer.status, answer.error?.data.field]).toEqual([422, 'units_map'])
  })
})

describe('teams.previewMember', () => {
  it('names the repositories on which an edit changes a user’s permissions', async () => {
    const { owner, inTeam, outsider, org, team } = await makeTeamCast(site, readers)
    const first = await makeRepository(site.db, org.id, { is_private: true, name: 'first' })
    const second = await makeRepository(site.db, org.id, { name: 'second' })
    for (const { id } of [first, second]) await attach(site.db, team, id)
    const browser = await signIn(site, owner)
    const edit = { id: team.id, permission: 'read', units_map: { 'repo.code': 'write' }, expected: read }
    const { data } = await browser.query('teams.previewMember', { ...edit, username: inTeam.name })
    expect(data).toEqual([
      { unit: 'repo.code', before: 'read', after: 'write', repositories: ['first', 'second'] },
      { unit: 'repo.wiki', before: 'read', after: 'none', repositories: ['first'] },
    ])
    const other = await browser.query('teams.previewMember', { ...edit, username: outsider.name })
    expect(other.status).toBe(404)
  })
})

describe('teams.setPermissions', () => {
  const wiki = { permission: 'read', units_map: { 'repo.wiki': 'read' } }

  it('changes only the team’s permissions', async () => {
    const { owner, team } = await makeTeamCast(site, readers)
    const browser = await signIn(site, owner)
    const change = { id: team.id, permission: 'write', units_map: { 'repo.code': 'write' }, expected: read }
    const { data } = await browser.mutate('teams.setPermissions', change)
    expect(data).toMatchObject({
      name: team.name,
      description: team.description,
      permission: 'write',
      units_map: { 'repo.code': 'write' },
      includes_all_repositories: false,
    })
  })

  it('returns 400 and changes nothing for an unknown permission', async () => {
    const { owner, team } = await makeTeamCast(site, readers)
    const browser = await signIn(site, owner)
    for (const words of [
      { permission: 'Admin' },
      { permission: 'read', units_map: { 'repo.code': 'push' } },
    ]) {
      const answer = await browser.mutate('teams.setPermissions', { id: team.id, expected: read, ...words })
      expect([answer.status, answer.error?.message]).toEqual([
        400,
        expect.stringContaining('none, read, write'),
      ])
    }
    expect((await browser.query('teams.get', { id: team.id })).data).toMatchObject(read)
  })

  it('returns 409 and changes nothing if the team’s permissions differ from those shown', async () => {
    const { owner, team } = await makeTeamCast(site, readers)
    const browser = await signIn(site, owner)
    const change = { id: team.id, permission: 'write', units_map: { 'repo.code': 'write' } }
    const answer = await browser.mutate('teams.setPermissions', { ...change, expected: wiki })
    expect([answer.status, answer.error?.data.kind]).toEqual([409, 'conflict'])
    const preview = await browser.query('teams.preview', { ...change, expected: wiki })
    expect(preview.status).toBe(409)
    const { data } = await browser.query('teams.get', { id: team.id })
    expect(data).toMatchObject(read)
  })

  it('returns 409 to all but one of several owners who save concurrently, and overwrites nothing', async () => {
    const { owner, team } = await makeTeamCast(site, readers)
    const browser = await signIn(site, owner)
    const modes = ['read', 'write', 'admin', 'none'] as const
    const answers = await Promise.all(
      modes.map(mode => {
        const units_map = { 'repo.releases': mode }
        return browser.mutate('teams.setPermissions', {
          id: team.id,
          permission: 'write',
          units_map,
          expected: read,
        })
      }),
    )
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 409, 409, 409])
    const saved = answers.find(({ status }) => status === 200)
    expect((await browser.query('teams.get', { id: team.id })).data).toEqual(saved?.data)
  })
})

it('teams.create returns 500 with its message for a team below admin without units, on its field', async () => {
  const { owner, org } = await makeTeamCast(site)
  const browser = await signIn(site, owner)
  const answer = await browser.mutate('teams.create', { org: org.name, name: 'x', permission: 'read' })
  expect([answer.status, answer.error?.message, answer.error?.data.field]).toEqual([
    500,
    'units permission should not be empty',
    'units',
  ])
})
