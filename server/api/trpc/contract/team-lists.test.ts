import { describe, expect, it } from 'vitest'
import { addToTeam, attach, makeRepository, makeTeam, makeUser } from '@/db/testing/factories'
import type { RemovalEffects, RemovalTarget } from '@/server/removals/schema'
import { signIn } from '@/testing/browser'
import { makePerson } from '@/testing/people'
import { useSite } from '@/testing/site'
import { makeTeamCast } from '@/testing/team-cast'

const site = useSite()

const eventsOf = async (orgId: number, kind: string) =>
  await site.db
    .selectFrom('events')
    .select('data')
    .where('owner_id', '=', orgId)
    .where('kind', '=', kind)
    .orderBy('id')
    .execute()

describe('teams.browse', () => {
  it('returns the number of members and repositories of each team, in the requested order', async () => {
    const { org, owner, inTeam } = await makeTeamCast(site, { team: { name: 'middle' } })
    const [alpha, zeta] = [
      await makeTeam(site.db, org.id, { name: 'Alpha' }),
      await makeTeam(site.db, org.id, { name: 'zeta' }),
    ]
    for (const id of [inTeam.account.id, (await makeUser(site.db)).id]) await addToTeam(site.db, zeta, id)
    await attach(site.db, alpha, (await makeRepository(site.db, org.id)).id)
    const browser = await signIn(site, owner)
    const found = async (choice: object) => {
      const { data } = await browser.query('teams.browse', { org: org.name, ...choice })
      return [data.total, ...data.items.map(({ name }: { name: string }) => name)]
    }
    expect(await found({})).toEqual([4, 'Owners', 'Alpha', 'middle', 'zeta'])
    expect(await found({ sort: 'members' })).toEqual([4, 'zeta', 'middle', 'Owners', 'Alpha'])
    expect(await found({ sort: 'newest' })).toEqual([4, 'zeta', 'Alpha', 'middle', 'Owners'])
    expect(await found({ sort: 'newest', q: 'a', limit: 1, page: 2 })).toEqual([2, 'Alpha'])
    expect(await found({ sort: 'members', page: 9 })).toEqual([4])
    const { data } = await browser.query('teams.browse', { org: org.name })
    expect(data.items).toMatchObject([
      { member_count: 1, repository_count: 1 },
      { member_count: 0, repository_count: 1 },
      { member_count: 1, repository_count: 0 },
      { member_count: 2, repository_count: 0 },
    ])
  })

  it('can be limited to the viewer’s teams, by any member', async () => {
    const { org, owner, inTeam, member, team } = await makeTeamCast(site)
    const own = async (person: typeof owner, choice: object = {}) => {
      const browser = await signIn(site, person)
      const input = { org: org.name, membership: 'mine', ...choice }
      const { data } = await browser.query('teams.browse', input)
      return data.items.map(({ id }: { id: number }) => id)
    }
    expect(await own(owner)).toEqual([org.ownersTeamId])
    expect(await own(inTeam)).toEqual([team.id])
    expect(await own(inTeam, { q: 'owners' })).toEqual([])
    expect(await own(member)).toEqual([])
  })

  it.each(['\0', '\ud800', '%', '_', '\\'])('returns an empty list for %j', async q => {
    const { org, owner, team } = await makeTeamCast(site)
    const browser = await signIn(site, owner)
    for (const [list, input] of [
      ['teams.browse', { org: org.name, q }],
      ['teams.browseRepositories', { id: team.id, q }],
      ['teams.browseMembers', { id: team.id, q }],
      ['orgs.members.listPeople', { org: org.name, q }],
    ] as const) {
      const { status, data } = await browser.query(list, input)
      // A text of only NUL counts as empty.
      expect([status, data?.items.length === 0 || q === '\0'], list).toEqual([200, true])
    }
  })
})

describe('deleting several teams', () => {
  const targetOf = (org: { name: string }, ids: readonly number[]): RemovalTarget => ({
    kind: 'deletedTeams',
    org: org.name,
    ids: [...ids],
  })

  it('has the effects shown in its preview, with one event per team, and skips teams of other organizations', async () => {
    const { org, owner, inTeam, team } = await makeTeamCast(site)
    const { org: another, team: foreign } = await makeTeamCast(site)
    const other = await makeTeam(site.db, org.id)
    const kept = await makeTeam(site.db, org.id)
    const [inBoth, stays] = [await makePerson(site), await makePerson(site)]
    for (const one of [team, other]) await addToTeam(site.db, one, inBoth.account.id)
    for (const one of [other, kept]) await addToTeam(site.db, one, stays.account.id)
    const repository = await makeRepository(site.db, org.id)
    for (const one of [team, other]) await attach(site.db, one, repository.id)

    const browser = await signIn(site, owner)
    const target = targetOf(org, [team.id, other.id, foreign.id, 999_999_999])
    const expected: RemovalEffects = (await browser.query('removals.preview', target)).data
    const left = [inTeam.name, inBoth.name].sort()
    expect(expected).toMatchObject({
      teams: { total: 2, names: [team.name, other.name].sort() },
      members: { total: 3 },
      people: { total: 2, names: left },
      repositories: { total: 1, names: [`${org.name}/${repository.name}`] },
    })
    expect((await browser.mutate('removals.confirm', { target, expected })).status).toBe(200)

    const teams = await site.db
      .selectFrom('teams')
      .select('id')
      .where('org_id', 'in', [org.id, another.id])
      .execute()
    const ids = teams.map(({ id }) => id)
    expect(ids).toEqual(expect.arrayContaining([org.ownersTeamId, kept.id, foreign.id]))
    expect(ids).not.toContain(team.id)
    expect(ids).not.toContain(other.id)
    expect(await eventsOf(org.id, 'team.deleted')).toEqual([
      { data: expect.objectContaining({ teamId: team.id, leftOrganization: 2 }) },
      { data: expect.objectContaining({ teamId: other.id, leftOrganization: 1 }) },
    ])
    expect(await eventsOf(org.id, 'org.member_removed')).toHaveLength(2)
    expect(await eventsOf(another.id, 'team.deleted')).toEqual([])
  })

  it('is rejected if the Owners team is included, and for users who do not own the organization', async () => {
    const { org, owner, inTeam, outsider, team } = await makeTeamCast(site)
    const status = async (person: typeof owner, ids: readonly number[]) =>
      (await (await signIn(site, person)).query('removals.preview', targetOf(org, ids))).status
    expect(await status(owner, [team.id, org.ownersTeamId])).toBe(403)
    expect(await status(inTeam, [team.id])).toBe(403)
    expect(await status(outsider, [team.id])).toBe(403)
    expect(await status(owner, [])).toBe(400)
    const teams = await site.db.selectFrom('teams').select('id').where('org_id', '=', org.id).execute()
    expect(teams).toHaveLength(2)
  })
})

describe('teams.browseRepositories', () => {
  it('finds a team’s repositories by text, in the requested order, for its members', async () => {
    const { org, owner, inTeam, member, team } = await makeTeamCast(site)
    const day = (number: number) => new Date(Date.UTC(2020, 0, number))
    const made = [
      { name: 'anvil', description: 'For 100% steel', updated_at: day(1), added: day(2) },
      { name: 'Bellows', description: '', updated_at: day(3), added: day(1) },
      { name: 'chisel', description: '', updated_at: day(2), added: day(3) },
    ]
    for (const { added, ...fields } of made) {
      const { id } = await makeRepository(site.db, org.id, fields)
      await site.db
        .insertInto('team_repositories')
        .values({ team_id: team.id, org_id: org.id, repository_id: id, created_at: added })
        .execute()
    }
    const found = async (choice: object, person = inTeam) => {
      const browser = await signIn(site, person)
      const { data, status } = await browser.query('teams.browseRepositories', { id: team.id, ...choice })
      return data ? [data.total, ...data.items.map(({ name }: { name: string }) => name)] : status
    }
    expect(await found({})).toEqual([3, 'anvil', 'Bellows', 'chisel'])
    expect(await found({ sort: 'updated' })).toEqual([3, 'Bellows', 'chisel', 'anvil'])
    expect(await found({ sort: 'newest' }, owner)).toEqual([3, 'chisel', 'anvil', 'Bellows'])
    expect(await found({ q: 'ELL' })).toEqual([1, 'Bellows'])
    expect(await found({ q: '100%' })).toEqual([1, 'anvil'])
    expect(await found({ q: 'l', sort: 'newest', limit: 1, page: 2 })).toEqual([3, 'anvil'])
    expect(await found({ q: 'l', page: 9 })).toEqual([3])
    expect(await found({}, member)).toBe(403)
  })
})

describe('teams.detachAll and teams.attachAll', () => {
  it('remove several repositories from a team and add them again, with one event each', async () => {
    const { org, owner, team } = await makeTeamCast(site)
    const { org: another } = await makeTeamCast(site)
    const [first, second, kept, foreign] = [
      await makeRepository(site.db, org.id),
      await makeRepository(site.db, org.id),
      await makeRepository(site.db, org.id),
      await makeRepository(site.db, another.id),
    ]
    for (const { id } of [first, second, kept]) await attach(site.db, team, id)
    const held = async () => {
      const rows = await site.db
        .selectFrom('team_repositories')
        .select('repository_id')
        .where('team_id', '=', team.id)
        .orderBy('repository_id')
        .execute()
      return rows.map(row => row.repository_id)
    }
    const browser = await signIn(site, owner)
    const input = { id: team.id, repositories: [first.id, second.id, foreign.id, 999_999_999] }
    for (const removed of [[first.id, second.id], []]) {
      expect((await browser.mutate('teams.detachAll', input)).data.toSorted()).toEqual(removed)
    }
    expect(await held()).toEqual([kept.id])
    expect(await eventsOf(org.id, 'team.repository_removed')).toHaveLength(2)
    for (const _ of ['once', 'again']) {
      expect((await browser.mutate('teams.attachAll', input)).status).toBe(200)
      expect(await held()).toEqual([first.id, second.id, kept.id])
    }
    expect(await eventsOf(org.id, 'team.repository_added')).toHaveLength(2)
  })

  it('do not reveal which repositories exist to users who cannot see them', async () => {
    const { org, inTeam, team } = await makeTeamCast(site)
    const { id: hidden } = await makeRepository(site.db, org.id, { is_private: true })
    const browser = await signIn(site, inTeam)
    for (const verb of ['teams.attachAll', 'teams.detachAll']) {
      for (const id of [hidden, 999_999_999]) {
        const { status } = await browser.mutate(verb, { id: team.id, repositories: [id] })
        expect([verb, id, status]).toEqual([verb, id, 200])
      }
    }
    expect(await eventsOf(org.id, 'team.repository_added')).toEqual([])
  })

  it('change nothing if the caller does not administer one of the repositories', async () => {
    const { org, inTeam, member, outsider, team } = await makeTeamCast(site)
    const [own, other] = [await makeRepository(site.db, org.id), await makeRepository(site.db, org.id)]
    for (const { id } of [own, other]) await attach(site.db, team, id)
    const grant = { repository_id: own.id, user_id: inTeam.account.id, mode: 'admin' } as const
    await site.db.insertInto('repository_collaborators').values(grant).execute()
    const status = async (person: typeof inTeam, ids: readonly number[]) => {
      const browser = await signIn(site, person)
      return (await browser.mutate('teams.detachAll', { id: team.id, repositories: ids })).status
    }
    expect(await status(inTeam, [own.id, other.id])).toBe(403)
    expect(await status(member, [own.id])).toBe(403)
    expect(await status(outsider, [own.id])).toBe(404)
    expect(await eventsOf(org.id, 'team.repository_removed')).toEqual([])
    expect(await status(inTeam, [own.id])).toBe(200)
  })
})
