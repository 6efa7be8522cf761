// @module-tag embedded
import { sql } from 'kysely'
import { describe, expect, it } from 'vitest'
import type { Db } from '@/db/client'
import { addToOrg, addToTeam, attach, makeRepository, makeTeam } from '@/db/testing/factories'
import { withTransaction } from '@/db/transaction'
import type { RemovalEffects, RemovalTarget } from '@/server/removals/schema'
import { signIn } from '@/testing/browser'
import { call } from '@/testing/call'
import { makePerson, type Person } from '@/testing/people'
import { useSite } from '@/testing/site'
import { makeTeamCast, type TeamCast } from '@/testing/team-cast'

const site = useSite()
const patiently = { timeout: 20_000 }

/**
 * The cast of one team, with a user in two teams, a user in one team, and collaborations of both. The team
 * has two private repositories, one of which the other team also has.
 */
interface World extends TeamCast {
  inTwo: Person
  other: Awaited<ReturnType<typeof makeTeam>>
  /** The organization's repositories. */
  repositories: { id: number; name: string }[]
}

async function makeWorld(): Promise<World> {
  const cast = await makeTeamCast(site)
  const { owner, inTeam, outsider, org, team } = cast
  const inTwo = await makePerson(site)
  const other = await makeTeam(site.db, org.id)
  for (const one of [team, other]) await addToTeam(site.db, one, inTwo.account.id)
  const [first, second, ownersOwn, foreign] = [
    await makeRepository(site.db, org.id),
    await makeRepository(site.db, org.id, { is_private: true }),
    await makeRepository(site.db, owner.account.id, { is_private: true }),
    await makeRepository(site.db, outsider.account.id),
  ]
  const [ofBoth, ofTeam] = [
    await makeRepository(site.db, org.id, { is_private: true }),
    await makeRepository(site.db, org.id, { is_private: true }),
  ]
  for (const [one, { id }] of [
    [team, ofBoth],
    [other, ofBoth],
    [team, ofTeam],
  ] as const) {
    await attach(site.db, one, id)
  }
  const { account } = outsider
  for (const [repository_id, user_id] of [
    [first.id, inTeam.account.id],
    [second.id, inTeam.account.id],
    [second.id, inTwo.account.id],
    [second.id, account.id],
    [ownersOwn.id, account.id],
    [ownersOwn.id, inTeam.account.id],
    [foreign.id, owner.account.id],
  ] as const) {
    const grant = { repository_id, user_id, mode: 'write' } as const
    await site.db.insertInto('repository_collaborators').values(grant).execute()
  }
  return { ...cast, inTwo, other, repositories: [first, second, ofBoth, ofTeam] }
}

interface Way {
  as: keyof World & ('owner' | 'inTeam' | 'inTwo' | 'root')
  target: (world: World) => RemovalTarget
  /** The equivalent REST request. */
  rest: (world: World) => [method: string, path: string]
  /** Numbers of users, organizations, teams, collaborations, and repositories in the preview. */
  ends?: [number, number, number, number, number] | undefined
}

const ways: Record<string, Way> = {
  'removing a member from an organization': {
    as: 'owner',
    target: ({ org, inTwo }) => ({ kind: 'organization', org: org.name, username: inTwo.name }),
    rest: ({ org, inTwo }) => ['DELETE', `/orgs/${org.name}/members/${inTwo.name}`],
    ends: [1, 1, 2, 1, 3],
  },
  'removing a member without a team': {
    as: 'owner',
    target: ({ org, member }) => ({ kind: 'organization', org: org.name, username: member.name }),
    rest: ({ org, member }) => ['DELETE', `/orgs/${org.name}/members/${member.name}`],
    ends: [1, 1, 0, 0, 0],
  },
  'leaving an organization': {
    as: 'inTeam',
    target: ({ org, inTeam }) => ({ kind: 'organization', org: org.name, username: inTeam.name }),
    rest: ({ org, inTeam }) => ['DELETE', `/orgs/${org.name}/members/${inTeam.name}`],
    ends: [1, 1, 1, 2, 3],
  },
  'removing a user from one of several teams': {
    as: 'owner',
    target: ({ team, inTwo }) => ({ kind: 'team', id: team.id, username: inTwo.name }),
    rest: ({ team, inTwo }) => ['DELETE', `/teams/${team.id}/members/${inTwo.name}`],
    ends: [0, 0, 1, 0, 1],
  },
  'removing a user from their last team': {
    as: 'owner',
    target: ({ team, inTeam }) => ({ kind: 'team', id: team.id, username: inTeam.name }),
    rest: ({ team, inTeam }) => ['DELETE', `/teams/${team.id}/members/${inTeam.name}`],
    ends: [1, 1, 1, 2, 3],
  },
  'leaving one of several teams': {
    as: 'inTwo',
    target: ({ team, inTwo }) => ({ kind: 'team', id: team.id, username: inTwo.name }),
    rest: ({ team, inTwo }) => ['DELETE', `/teams/${team.id}/members/${inTwo.name}`],
    ends: [0, 0, 1, 0, 1],
  },
  'leaving the last team': {
    as: 'inTeam',
    target: ({ team, inTeam }) => ({ kind: 'team', id: team.id, username: inTeam.name }),
    rest: ({ team, inTeam }) => ['DELETE', `/teams/${team.id}/members/${inTeam.name}`],
    ends: [1, 1, 1, 2, 3],
  },
  'deleting a team': {
    as: 'owner',
    target: ({ team }) => ({ kind: 'deletedTeam', id: team.id }),
    rest: ({ team }) => ['DELETE', `/teams/${team.id}`],
    ends: [1, 0, 1, 2, 2],
  },
  'blocking a user': {
    as: 'owner',
    target: ({ outsider }) => ({ kind: 'block', username: outsider.name }),
    rest: ({ outsider }) => ['PUT', `/user/blocks/${outsider.name}`],
    ends: [0, 0, 0, 2, 0],
  },
  'blocking a user for an organization': {
    as: 'owner',
    target: ({ org, outsider }) => ({ kind: 'organizationBlock', org: org.name, username: outsider.name }),
    rest: ({ org, outsider }) => ['PUT', `/orgs/${org.name}/blocks/${outsider.name}`],
    ends: [0, 0, 0, 1, 0],
  },
  'deleting an account': {
    as: 'root',
    target: ({ inTeam }) => ({ kind: 'deletedUser', username: inTeam.name }),
    rest: ({ inTeam }) => ['DELETE', `/admin/users/${inTeam.name}`],
    ends: [1, 1, 1, 3, 0],
  },
}

const organizationTarget: Way = {
  as: 'owner',
  target: ({ org }) => ({ kind: 'deletedOrganization', org: org.name }),
  rest: ({ org }) => ['DELETE', `/orgs/${org.name}`],
  ends: [4, 1, 3, 0, 0],
}

/** Returns all memberships and collaborations in the database. */
async function rightsNow(): Promise<{
  [K in Exclude<keyof RemovalEffects, 'repositories' | 'members'>]: Map<string, string>
}> {
  const memberships = await site.db
    .selectFrom('organization_members')
    .innerJoin('users as orgs', 'orgs.id', 'organization_members.org_id')
    .innerJoin('users', 'users.id', 'organization_members.user_id')
    .select(['orgs.name as org', 'users.name as person'])
    .execute()
  const inTeams = await site.db
    .selectFrom('team_members')
    .innerJoin('teams', 'teams.id', 'team_members.team_id')
    .select(['teams.id', 'teams.name', 'team_members.user_id'])
    .execute()
  const collaborations = await site.db
    .selectFrom('repository_collaborators')
    .innerJoin('repositories', 'repositories.id', 'repository_collaborators.repository_id')
    .innerJoin('users', 'users.id', 'repositories.owner_id')
    .select(['users.name as owner', 'repositories.name', 'repository_collaborators.user_id'])
    .execute()
  return {
    people: new Map(memberships.map(row => [`${row.org} ${row.person}`, row.person])),
    organizations: new Map(memberships.map(row => [`${row.org} ${row.person}`, row.org])),
    teams: new Map(inTeams.map(row => [`${row.id} ${row.user_id}`, row.name])),
    collaborations: new Map(
      collaborations.map(row => [`${row.owner}/${row.name} ${row.user_id}`, `${row.owner}/${row.name}`]),
    ),
  }
}

type Rights = Awaited<ReturnType<typeof rightsNow>>
const lost = (before: Rights, after: Rights, of: keyof Rights): string[] => {
  const names = [...before[of]].filter(([key]) => !after[of].has(key)).map(([, name]) => name)
  return [...new Set(names)].sort()
}

/** Returns the organization's repositories that the removed user can open, or that the team has. */
async function repositoriesOf(world: World, target: RemovalTarget): Promise<string[]> {
  const has = async ({ id, name }: World['repositories'][number]): Promise<boolean> => {
    if (target.kind === 'deletedTeam') {
      const query = site.db.selectFrom('team_repositories').select('team_id')
      return (
        (await query.where('repository_id', '=', id).where('team_id', '=', target.id).execute()).length > 0
      )
    }
    if (target.kind !== 'organization' && target.kind !== 'team') return false
    const as = [world.inTeam, world.inTwo, world.member].find(person => person.name === target.username)
    return (await call(site, 'GET', `/repos/${world.org.name}/${name}`, { as })).status === 200
  }
  const names: string[] = []
  for (const one of world.repositories) if (await has(one)) names.push(`${world.org.name}/${one.name}`)
  return names
}

async function expectAsPreviewed(world: World, { as, target, rest, ends }: Way): Promise<void> {
  const browser = await signIn(site, world[as])
  const before = await rightsNow()
  const had = await repositoriesOf(world, target(world))
  const reported = (await browser.query('removals.preview', target(world))).data as RemovalEffects
  expect(await rightsNow(), 'a preview changes nothing').toEqual(before)
  const [method, path] = rest(world)
  expect((await call(site, method, path, { as: world[as] })).status).toBe(204)
  const after = await rightsNow()
  const has = await repositoriesOf(world, target(world))
  expect([...reported.repositories.names].sort()).toEqual(had.filter(name => !has.includes(name)).sort())
  const { members, ...others } = reported
  const counts = Object.values(others).map(({ total }) => total)
  if (ends) expect(counts).toEqual(ends)
  const way = target(world)
  const leftTeam = [...before.teams.keys()].filter(
    key => 'id' in way && key.startsWith(`${way.id} `) && !after.teams.has(key),
  )
  expect(members.total, 'members who left the team').toBe(leftTeam.length)
  for (const of of ['people', 'collaborations'] as const) {
    expect([...reported[of].names].sort(), of).toEqual(lost(before, after, of))
  }
  // Names are qualified with the organization if several organizations are possible.
  const teams = reported.teams.names.map(name => name.split('/').at(-1) as string).sort()
  expect(teams).toEqual(lost(before, after, 'teams'))
  // Deleting a team removes several users from the organization, so no organizations are listed for one user.
  if (reported.organizations.total > 0) {
    expect(reported.organizations.names).toEqual(lost(before, after, 'organizations'))
  }
}

describe('a removal has the effects shown in its preview', () => {
  it.each(Object.entries(ways))('when %s', async (_, way) => {
    await expectAsPreviewed(await makeWorld(), way)
  })

  it.each([
    ['limited', false],
    ['private', false],
    ['public', true],
    ['private', true],
  ] as const)('in a %s organization (restricted users: %s)', async (visibility, is_restricted) => {
    const world = await makeWorld()
    const { org, other, repositories, inTeam, inTwo, member } = world
    await site.db.updateTable('users').set({ visibility }).where('id', '=', org.id).execute()
    const theirs = [inTeam, inTwo, member].map(({ account }) => account.id)
    await site.db.updateTable('users').set({ is_restricted }).where('id', 'in', theirs).execute()
    // A team with all repositories uses another query.
    const [first, second, , last] = repositories
    for (const one of [first, second, last]) if (one) await attach(site.db, other, one.id)
    for (const name of [
      'removing a user from one of several teams',
      'removing a member from an organization',
      'removing a member without a team',
      'removing a user from their last team',
    ]) {
      await expectAsPreviewed(world, { ...(ways[name] as Way), ends: undefined })
    }
  })

  it('when deleting an organization', async () => {
    const world = await makeWorld()
    const repositories = site.db.deleteFrom('repositories').where('owner_id', '=', world.org.id)
    await repositories.execute()
    await expectAsPreviewed(world, organizationTarget)
  })
})

describe('removals.confirm', () => {
  it('carries out what was confirmed', async () => {
    const world = await makeWorld()
    const browser = await signIn(site, world.owner)
    const target: RemovalTarget = { kind: 'team', id: world.team.id, username: world.inTeam.name }
    const expected = (await browser.query('removals.preview', target)).data
    expect((await browser.mutate('removals.confirm', { target, expected })).status).toBe(200)
    expect((await rightsNow()).people.has(`${world.org.name} ${world.inTeam.name}`)).toBe(false)
  })

  it.each<[string, (world: World, usernames: string[]) => RemovalTarget]>([
    ['an organization', ({ org }, usernames) => ({ kind: 'organizationMembers', org: org.name, usernames })],
    ['a team', ({ team }, usernames) => ({ kind: 'teamMembers', id: team.id, usernames })],
  ])('removes several users from %s and skips those who are not in it', async (_, targetOf) => {
    const world = await makeWorld()
    const { owner, inTeam, inTwo, outsider, org, team } = world
    const browser = await signIn(site, owner)
    const target = targetOf(world, [inTeam.name, inTwo.name, outsider.name, 'nobody-at-all'])
    const before = await rightsNow()
    const expected: RemovalEffects = (await browser.query('removals.preview', target)).data
    expect(await rightsNow()).toEqual(before)
    expect((await browser.mutate('removals.confirm', { target, expected })).status).toBe(200)
    const after = await rightsNow()
    for (const { account } of [inTeam, inTwo]) expect(after.teams.has(`${team.id} ${account.id}`)).toBe(false)
    for (const of of ['people', 'teams', 'collaborations'] as const) {
      expect([...expected[of].names].sort(), of).toEqual(lost(before, after, of))
    }
    const events = await site.db
      .selectFrom('events')
      .select('id')
      .where('owner_id', '=', org.id)
      .where('kind', '=', 'team.member_removed')
      .execute()
    expect(events.length).toBe(before.teams.size - after.teams.size)
  })

  it('removes no one if no owner would remain, or if the caller is not an owner', async () => {
    const { owner, inTeam, inTwo, org, team } = await makeWorld()
    const before = await rightsNow()
    const usernames = [owner.name, inTwo.name]
    const target: RemovalTarget = { kind: 'organizationMembers', org: org.name, usernames }
    expect((await (await signIn(site, owner)).query('removals.preview', target)).status).toBe(422)
    for (const one of [target, { kind: 'teamMembers', id: team.id, usernames }]) {
      expect((await (await signIn(site, inTeam)).query('removals.preview', one)).status).toBe(403)
    }
    expect(await rightsNow()).toEqual(before)
  })

  it('returns 409 and changes nothing if the effects have changed since the preview', async () => {
    const world = await makeWorld()
    const { owner, inTwo, org, team, other } = world
    const browser = await signIn(site, owner)
    const target: RemovalTarget = { kind: 'team', id: team.id, username: inTwo.name }
    const expected = (await browser.query('removals.preview', target)).data
    await call(site, 'DELETE', `/teams/${other.id}/members/${inTwo.name}`, { as: owner })
    const answer = await browser.mutate('removals.confirm', { target, expected })
    expect([answer.status, answer.error?.data.kind]).toEqual([409, 'conflict'])
    const now = await rightsNow()
    expect(now.people.has(`${org.name} ${inTwo.name}`)).toBe(true)
    expect(now.teams.has(`${team.id} ${inTwo.account.id}`)).toBe(true)
  })

  it('returns the errors of the underlying operation before anything is confirmed', async () => {
    const world = await makeWorld()
    const { owner, outsider, inTeam, org, root } = world
    const refusal = async (as: Person, target: RemovalTarget) =>
      (await (await signIn(site, as)).query('removals.preview', target)).status
    expect(await refusal(outsider, { kind: 'team', id: world.team.id, username: inTeam.name })).toBe(404)
    expect(await refusal(inTeam, { kind: 'deletedTeam', id: world.team.id })).toBe(403)
    expect(await refusal(owner, { kind: 'deletedUser', username: inTeam.name })).toBe(403)
    expect(await refusal(root, { kind: 'deletedUser', username: owner.name })).toBe(422)
    expect(await refusal(owner, { kind: 'organization', org: org.name, username: owner.name })).toBe(422)
    expect(await refusal(owner, { kind: 'deletedOrganization', org: org.name })).toBe(422)
  })
})

describe('a user without permission', () => {
  it.each(['preview', 'confirm'])('is rejected by removals.%s before any repository is read', async way => {
    const { outsider, member, inTeam, org, team } = await makeWorld()
    const nothing = { total: 0, names: [] }
    const expected: RemovalEffects = {
      people: nothing,
      members: nothing,
      organizations: nothing,
      teams: nothing,
      collaborations: nothing,
      repositories: nothing,
    }
    const refusal = async (as: Person, target: RemovalTarget) => {
      const browser = await signIn(site, as)
      if (way === 'preview') return (await browser.query('removals.preview', target)).status
      return (await browser.mutate('removals.confirm', { target, expected })).status
    }
    const { name: username } = inTeam
    await sql`alter table repositories rename to not_to_be_read`.execute(site.db)
    try {
      expect(await refusal(outsider, { kind: 'organization', org: org.name, username })).toBe(403)
      expect(await refusal(member, { kind: 'organization', org: org.name, username })).toBe(403)
      expect(await refusal(outsider, { kind: 'team', id: team.id, username })).toBe(404)
      expect(await refusal(member, { kind: 'team', id: team.id, username })).toBe(403)
      expect(await refusal(member, { kind: 'deletedTeam', id: team.id })).toBe(403)
    } finally {
      await sql`alter table not_to_be_read rename to repositories`.execute(site.db)
    }
  })
})

describe('removals.preview', () => {
  it.for(['preview', 'confirm'])(
    'returns 429 to a user with four running requests, but not to others: %s',
    async (way, context) => {
      const { database } = site.services
      if (database.kind === 'embedded') context.skip()
      const world = await makeWorld()
      const [owner, member] = [await signIn(site, world.owner), await signIn(site, world.inTeam)]
      const target: RemovalTarget = { kind: 'deletedTeam', id: world.team.id }
      const expected: RemovalEffects = (await owner.query('removals.preview', target)).data
      const statuses: number[] = []
      const ask = async () => {
        if (way === 'preview') statuses.push((await owner.query('removals.preview', target)).status)
        else statuses.push((await owner.mutate('removals.confirm', { target, expected })).status)
      }
      const asked = await withTransaction(database.db, async trx => {
        await sql`select from users where id = ${world.org.id} for update`.execute(trx)
        const all = Array.from({ length: 8 }, ask)
        await expect.poll(() => statuses, patiently).toContain(429)
        const block: RemovalTarget = { kind: 'block', username: world.outsider.name }
        expect((await member.query('removals.preview', block)).status).toBe(200)
        return all
      })
      await Promise.all(asked)
      expect(statuses).toHaveLength(8)
    },
  )

  it('returns 409 while someone else changes the objects affected', async context => {
    const { database } = site.services
    if (database.kind === 'embedded') context.skip()
    const world = await makeWorld()
    const browser = await signIn(site, world.owner)
    const answer = await withTransaction(database.db, async trx => {
      await sql`select from users where id = ${world.org.id} for update`.execute(trx)
      return await browser.query('removals.preview', { kind: 'deletedTeam', id: world.team.id })
    })
    expect(answer.status).toBe(409)
    expect(answer.error?.data).toMatchObject({ reason: { code: 'cannotPreview', why: 'busy' } })
  })
})

describe('removals.confirm for an account', () => {
  it('holds no locks that others need when it restarts because the user joined an organization', async context => {
    const { database } = site.services
    if (database.kind === 'embedded') context.skip()
    const { db } = database
    const keeper = await makePerson(site, { is_admin: true })
    const { root, outsider, org } = await makeWorld()
    const browser = await signIn(site, root)
    const target: RemovalTarget = { kind: 'deletedUser', username: outsider.name }
    await site.db.deleteFrom('repositories').where('owner_id', '=', outsider.account.id).execute()
    const preview: RemovalEffects = (await browser.query('removals.preview', target)).data
    const only = (name: string) => ({ total: 1, names: [name] })
    const expected = { ...preview, people: only(outsider.name), organizations: only(org.name) }

    const before = await db.startTransaction().execute()
    await sql`select from users where id = ${keeper.account.id} for no key update`.execute(before)
    const taking = browser.mutate('removals.confirm', { target, expected })
    await expect.poll(() => waiting(db), patiently).toBe(1)
    await addToOrg(db, org.id, outsider.account.id)
    const adding = await db.startTransaction().execute()
    await sql`select from users where id = ${org.id} for no key update`.execute(adding)
    await before.commit().execute()
    // The removal now knows the organization and waits for its lock.
    await expect.poll(() => waiting(db, 'inner join "users"'), patiently).toBe(1)
    await sql`select from users where id = ${outsider.account.id} for update`.execute(adding)
    await adding.commit().execute()
    expect((await taking).status).toBe(200)
  })
})

/** Returns how many queries that contain these words wait for a lock. */
async function waiting(db: Db, ...words: string[]): Promise<number> {
  const { rows } = await sql<{ query: string }>`
    select query from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
    db,
  )
  return rows.filter(({ query }) => words.every(word => query.includes(word))).length
}
