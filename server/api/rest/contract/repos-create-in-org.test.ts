import { describe, expect, it } from 'vitest'
import { addToOrg, addToTeam, makeOrg, makeTeam } from '@/db/testing/factories'
import type { Scope } from '@/server/kernel/scopes'
import { type Answer, call } from '@/testing/call'
import { makePerson, makeToken, type Person } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()
const create = (
  as: Person | { token: string },
  org: string,
  body: unknown = { name: 'made' },
): Promise<Answer> => call(site, 'POST', `/orgs/${org}/repos`, { as, body })
const outcome = ({ status, body }: Answer) => [status, body?.message]

async function teamsOf(repositoryId: number): Promise<number[]> {
  const rows = await site.db
    .selectFrom('team_repositories')
    .select('team_id')
    .where('repository_id', '=', repositoryId)
    .orderBy('team_id')
    .execute()
  return rows.map(row => row.team_id)
}

const collaboratorsOf = (repositoryId: number) =>
  site.db
    .selectFrom('repository_collaborators')
    .select(['user_id', 'mode'])
    .where('repository_id', '=', repositoryId)
    .execute()

describe('POST /orgs/{org}/repos', () => {
  it('returns 201 to an owner, and adds the repository to exactly the teams that include all repositories', async () => {
    const owner = await makePerson(site)
    const org = await makeOrg(site.db, owner.account.id)
    const wide = await makeTeam(site.db, org.id, { includes_all_repositories: true })
    await makeTeam(site.db, org.id)
    const answer = await create(owner, org.name.toUpperCase())
    expect([answer.status, answer.body.full_name]).toEqual([201, `${org.name}/made`])
    expect(await teamsOf(answer.body.id)).toEqual([org.ownersTeamId, wide.id])
    expect(await collaboratorsOf(answer.body.id)).toEqual([])
    const counted = await site.db
      .selectFrom('teams')
      .select('repository_count')
      .where('id', '=', wide.id)
      .execute()
    expect(counted).toEqual([{ repository_count: 1 }])
  })

  it('returns 201 to a member who can create repositories, and makes them administrator of the new one', async () => {
    const [owner, maker] = [await makePerson(site), await makePerson(site)]
    const org = await makeOrg(site.db, owner.account.id)
    const team = await makeTeam(site.db, org.id, { can_create_org_repo: true })
    await addToTeam(site.db, team, maker.account.id)
    const answer = await create(maker, org.name, { name: 'mine', private: true })
    expect([answer.status, answer.body.permissions]).toEqual([201, { admin: true, push: true, pull: true }])
    expect(await collaboratorsOf(answer.body.id)).toEqual([{ user_id: maker.account.id, mode: 'admin' }])
  })

  it('returns 201 to a member who administers all repositories through a team, without a further permission', async () => {
    const [owner, maker] = [await makePerson(site), await makePerson(site)]
    const org = await makeOrg(site.db, owner.account.id)
    const wide = { mode: 'admin', includes_all_repositories: true, can_create_org_repo: true } as const
    await addToTeam(site.db, await makeTeam(site.db, org.id, wide), maker.account.id)
    const answer = await create(maker, org.name)
    expect([answer.status, await collaboratorsOf(answer.body.id)]).toEqual([201, []])
  })

  it('returns 201 to a site administrator without making them a collaborator', async () => {
    const [owner, root] = [await makePerson(site), await makePerson(site, { is_admin: true })]
    const org = await makeOrg(site.db, owner.account.id, { visibility: 'private' })
    const answer = await create(root, org.name)
    expect([answer.status, await collaboratorsOf(answer.body.id)]).toEqual([201, []])
  })

  it('returns 403 to members whose teams cannot create repositories, and to outsiders', async () => {
    const [owner, member, reader, outsider] = [
      await makePerson(site),
      await makePerson(site),
      await makePerson(site),
      await makePerson(site),
    ]
    const org = await makeOrg(site.db, owner.account.id)
    await addToOrg(site.db, org.id, member.account.id)
    await addToTeam(site.db, await makeTeam(site.db, org.id, { mode: 'admin' }), reader.account.id)
    for (const as of [member, reader, outsider]) {
      expect(outcome(await create(as, org.name))).toEqual([
        403,
        'User is not allowed to create repositories in this organization.',
      ])
    }
  })

  it('returns 403 for a private repository and a token limited to public data', async () => {
    const owner = await makePerson(site)
    const org = await makeOrg(site.db, owner.account.id)
    const token = await makeToken(site, owner.account.id, ['public-only', 'all'])
    expect(outcome(await create({ token }, org.name, { name: 'secret', private: true }))).toEqual([
      403,
      'token scope is limited to public repos',
    ])
    expect((await create({ token }, org.name, { name: 'open' })).status).toBe(201)
  })

  it('returns 404 for an organization that is hidden or absent, and for a user', async () => {
    const [owner, outsider] = [await makePerson(site), await makePerson(site)]
    const org = await makeOrg(site.db, owner.account.id, { visibility: 'private' })
    for (const name of [org.name, 'nobody-here', owner.name]) {
      expect(outcome(await create(outsider, name))).toEqual([404, 'not found'])
    }
  })

  it('returns 409 and 422 in the same cases as POST /user/repos', async () => {
    const owner = await makePerson(site)
    const org = await makeOrg(site.db, owner.account.id)
    await create(owner, org.name)
    expect((await create(owner, org.name, { name: 'MADE' })).status).toBe(409)
    expect((await create(owner, org.name, { name: 'x.git' })).status).toBe(422)
  })

  it('returns 201 to concurrent requests, with correct repository counts of the teams', async () => {
    const owner = await makePerson(site)
    const org = await makeOrg(site.db, owner.account.id)
    const names = ['one', 'two', 'three', 'four']
    const answers = await Promise.all(names.map(name => create(owner, org.name, { name })))
    expect(answers.map(answer => answer.status)).toEqual([201, 201, 201, 201])
    const { repository_count } = await site.db
      .selectFrom('teams')
      .select('repository_count')
      .where('id', '=', org.ownersTeamId)
      .executeTakeFirstOrThrow()
    expect(repository_count).toBe(4)
  })
})

describe('POST /org/{org}/repos', () => {
  it('returns 201 as the former path of POST /orgs/{org}/repos', async () => {
    const owner = await makePerson(site)
    const org = await makeOrg(site.db, owner.account.id)
    const answer = await call(site, 'POST', `/org/${org.name}/repos`, {
      as: owner,
      body: { name: 'old-way' },
    })
    expect([answer.status, answer.body.full_name]).toEqual([201, `${org.name}/old-way`])
  })

  it.each<[Scope[], number]>([
    [['write:organization'], 403],
    [['write:repository'], 403],
    [['write:organization', 'write:repository'], 201],
  ])('returns to a token with %s the status %d', async (scopes, status) => {
    const owner = await makePerson(site)
    const org = await makeOrg(site.db, owner.account.id)
    const token = await makeToken(site, owner.account.id, scopes)
    const answer = await call(site, 'POST', `/org/${org.name}/repos`, { as: { token }, body: { name: 'x' } })
    expect(answer.status).toBe(status)
  })
})
