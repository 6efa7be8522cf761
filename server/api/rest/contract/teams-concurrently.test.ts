import { describe, expect, it } from 'vitest'
import { addToTeam, attach, makeOrg, makeRepository, makeTeam } from '@/db/testing/factories'
import { type Answer, call } from '@/testing/call'
import { makePerson } from '@/testing/people'
import { useSite } from '@/testing/site'

const site = useSite()
const rounds = 12
const several = [1, 2, 3, 4, 5, 6, 7, 8]

async function makeScene() {
  const owner = await makePerson(site)
  const org = await makeOrg(site.db, owner.account.id)
  return { owner, org }
}

function expectNoServerError(answers: Answer[]): void {
  for (const { status, text } of answers) expect(status, text).toBeLessThan(500)
}

// If the two changes locked in different orders, they would deadlock and the database would abort one.
describe('concurrent changes do not deadlock when', () => {
  it('a repository is added to a team that starts to include all repositories', async () => {
    const { owner, org } = await makeScene()
    const repositories = await Promise.all([1, 2, 3, 4].map(() => makeRepository(site.db, org.id)))
    for (let round = 0; round < rounds; round++) {
      const team = await makeTeam(site.db, org.id)
      const body = { permission: 'read', includes_all_repositories: true }
      const name = repositories.at(-1)?.name
      expectNoServerError(
        await Promise.all([
          call(site, 'PUT', `/repos/${org.name}/${name}/teams/${team.name}`, { as: owner }),
          call(site, 'PATCH', `/teams/${team.id}`, { as: owner, body }),
        ]),
      )
    }
  })

  it('teams are removed from a repository that is being deleted', async () => {
    const { owner, org } = await makeScene()
    const teams = await Promise.all(several.map(() => makeTeam(site.db, org.id)))
    for (let round = 0; round < 4; round++) {
      const repository = await makeRepository(site.db, org.id)
      for (const team of teams) await attach(site.db, team, repository.id)
      const path = `/repos/${org.name}/${repository.name}`
      const removals = teams.map(team => call(site, 'DELETE', `${path}/teams/${team.name}`, { as: owner }))
      expectNoServerError(await Promise.all([...removals, call(site, 'DELETE', path, { as: owner })]))
    }
  })

  it('collaborators are removed from a repository that is being deleted', async () => {
    const { owner, org } = await makeScene()
    const people = await Promise.all(several.map(() => makePerson(site)))
    for (let round = 0; round < 4; round++) {
      const repository = await makeRepository(site.db, org.id)
      const rows = people.map(({ account }) => ({
        repository_id: repository.id,
        user_id: account.id,
        mode: 'read' as const,
      }))
      await site.db.insertInto('repository_collaborators').values(rows).execute()
      const path = `/repos/${org.name}/${repository.name}`
      const removals = people.map(({ name }) =>
        call(site, 'DELETE', `${path}/collaborators/${name}`, { as: owner }),
      )
      expectNoServerError(await Promise.all([...removals, call(site, 'DELETE', path, { as: owner })]))
    }
  })

  it('an administrator joins the organization of an account that is being deleted', async () => {
    const root = await makePerson(site, { is_admin: true })
    for (let round = 0; round < rounds; round++) {
      const { owner, org } = await makeScene()
      const [bob, keeper] = [await makePerson(site), await makePerson(site, { is_admin: true })]
      const team = await makeTeam(site.db, org.id)
      await addToTeam(site.db, team, bob.account.id)
      expectNoServerError(
        await Promise.all([
          call(site, 'PUT', `/teams/${team.id}/members/${keeper.name}`, { as: owner }),
          call(site, 'DELETE', `/admin/users/${bob.name}`, { as: root }),
          call(site, 'PUT', `/teams/${team.id}/members/${root.name}`, { as: owner }),
        ]),
      )
    }
  })

  it('a user is blocked while being added to a team, and the block is recorded last or prevents the addition', async () => {
    const { owner, org } = await makeScene()
    const team = await makeTeam(site.db, org.id)
    for (let round = 0; round < rounds; round++) {
      const bob = await makePerson(site)
      const [added, blocked] = await Promise.all([
        call(site, 'PUT', `/teams/${team.id}/members/${bob.name}`, { as: owner }),
        call(site, 'PUT', `/user/blocks/${bob.name}`, { as: owner }),
      ])
      expect([added.status, blocked.status]).toEqual([expect.toBeOneOf([204, 403]), 204])
      const reported = await site.db
        .selectFrom('events')
        .select('kind')
        .where('kind', 'in', ['team.member_added', 'user.blocked'])
        .where('actor_id', '=', owner.account.id)
        .orderBy('id', 'desc')
        .limit(added.status === 204 ? 2 : 1)
        .execute()
      expect(reported[0]?.kind).toBe('user.blocked')
    }
  })

  it('a user’s name changes while the user is removed from teams or the teams are deleted', async () => {
    const scenes = await Promise.all(several.map(makeScene))
    for (let round = 0; round < 4; round++) {
      const bob = await makePerson(site)
      const removals: (() => Promise<Answer>)[] = []
      for (const { owner, org } of scenes) {
        const team = await makeTeam(site.db, org.id)
        await addToTeam(site.db, team, bob.account.id)
        const deletedPath = round % 2 === 0 ? `/teams/${team.id}/members/${bob.name}` : `/teams/${team.id}`
        removals.push(() => call(site, 'DELETE', deletedPath, { as: owner }))
      }
      const rename = (full_name: string) => () =>
        call(site, 'PATCH', '/user/settings', { as: bob, body: { full_name } })
      // Interleaved, so that renames overlap with unfinished removals.
      const mixed = removals.flatMap((removal, index) => [removal, rename(`Bob ${index}`)])
      expectNoServerError(await Promise.all(mixed.map(run => run())))
    }
  })
})
