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
  it('201: by an owner; every team that includes all repositories gets it, no other', async () => {
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

  it('201: who may only create becomes an administrator of what they made', async () => {
    const [owner, maker] = [await makePerson(site), await makePerson(site)]
    const org = await makeOrg(site.db, owner.account.id)
    const team = await makeTeam(site.db, org.id, { can_create_org_repo: true })
    await addToTeam(site.db, team, maker.account.id)
    const answer = await create(maker, org.name, { name: 'mine', private: true })
    expect([answer.status, answer.body.permissions]).toEqual([201, { admin: true, push: true, pull: true }])
    expect(await collaboratorsOf(answer.body.id)).toEqual([{ user_id: maker.account.id, mode: 'admin' }])
  })

  it('201: who administers it through a team that includes all needs no more', async () => {
    const [owner, maker] = [await makePerson(site), await makePerson(site)]
    const org = await makeOrg(site.db, owner.account.id)
    const wide = { mode: 'admin', includes_all_repositories: true, can_create_org_repo: true } as const
    await addToTeam(site.db, await makeTeam(site.db, org.id, wide), maker.account.id)
    const answer = await create(maker, org.name)
    expect([answer.status, await collaboratorsOf(answer.body.id)]).toEqual([201, []])
  })

  it('201: a site administrator, who does not become a collaborator', async () => {
    const [owner, root] = [await makePerson(site), await makePerson(site, { is_admin: true })]
    const org = await makeOrg(site.db, owner.account.id, { visibility: 'private' })
    const answer = await create(root, org.name)
    expect([answer.status, await collaboratorsOf(answer.body.id)]).toEqual([201, []])
  })

  it('403: members whose teams may not create, and outsiders', async () => {
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

  it('403: something private by a token limited to public data, which could not see it', async () => {
    const owner = await makePerson(site)
    const org = await makeOrg(site.db, owner.account.id)
    const token = await makeToken(site, owner.account.id, ['public-only', 'all'])
    expect(outcome(await create({ token }, org.name, { name: 'secret', private: true }))).toEqual([
      403,
      'token scope is limited to public repos',
    ])
    expect((await create({ token }, org.name, { name: 'open' })).status).toBe(201)
  })

  it('404: an organization hidden from the caller, absent, or a person', async () => {
    const [owner, outsider] = [await makePerson(site), await makePerson(site)]
    const org = await makeOrg(site.db, owner.account.id, { visibility: 'private' })
    for (const name of [org.name, 'nobody-here', owner.name]) {
      expect(outcome(await create(outsider, name))).toEqual([404, 'not found'])
    }
  })

  it('409 and 422: as for a person', async () => {
    const owner = await makePerson(site)
    const org = await makeOrg(site.db, owner.account.id)
    await create(owner, org.name)
    expect((await create(owner, org.name, { name: 'MADE' })).status).toBe(409)
    expect((await create(owner, org.name, { name: 'x.git' })).status).toBe(422)
  })

  it('201: two at the same time have both their teams and counts right', async () => {
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
  it('201: is the same under its old path', async () => {
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
  ])('a token with %s: %d', async (scopes, status) => {
    const owner = await makePerson(site)
    const org = await makeOrg(site.db, owner.account.id)
    const token = await makeToken(site, owner.account.id, scopes)
    const answer = await call(site, 'POST', `/org/${org.name}/repos`, { as: { token }, body: { name: 'x' } })
    expect(answer.status).toBe(status)
  })
})
