import { describe, expect, it } from 'vitest'
import { makeOrg, makeRepository } from '@/db/testing/factories'
import { call } from '@/testing/call'
import { makePerson, type Person } from '@/testing/people'
import { useSite } from '@/testing/site'
import { makeTeamCast, type TeamCast } from '@/testing/team-cast'

const site = useSite()

async function share(ownerId: number, person: Person) {
  const repository = await makeRepository(site.db, ownerId)
  const row = { repository_id: repository.id, user_id: person.account.id, mode: 'read' as const }
  await site.db.insertInto('repository_collaborators').values(row).execute()
  return repository
}

const eventsFor = (ownerId: number, kind: string) =>
  site.db
    .selectFrom('events')
    .select(['actor_id', 'repository_id', 'data'])
    .where('owner_id', '=', ownerId)
    .where('kind', '=', kind)
    .orderBy('id')
    .execute()

const ended = (repository: Awaited<ReturnType<typeof share>>, person: Person, actor: Person) => ({
  actor_id: actor.account.id,
  repository_id: repository.id,
  data: {
    repositoryId: repository.id,
    repository: repository.name,
    userId: person.account.id,
    user: person.name,
  },
})

const ways: [string, (cast: TeamCast) => [string, Person]][] = [
  ['they are removed', cast => [`/orgs/${cast.org.name}/members/${cast.inTeam.name}`, cast.owner]],
  ['they go', cast => [`/orgs/${cast.org.name}/members/${cast.inTeam.name}`, cast.inTeam]],
  ['they lose their last team', cast => [`/teams/${cast.team.id}/members/${cast.inTeam.name}`, cast.owner]],
  ['their last team is deleted', cast => [`/teams/${cast.team.id}`, cast.owner]],
  ['their account is deleted', cast => [`/admin/users/${cast.inTeam.name}`, cast.root]],
]

describe('the events of an organization', () => {
  it.each(ways)(
    'include the member’s removal and each collaboration that ends with it: %s',
    async (_, wayOf) => {
      const cast = await makeTeamCast(site)
      const { org, inTeam } = cast
      const shared = [await share(org.id, inTeam), await share(org.id, inTeam)]
      const [path, as] = wayOf(cast)
      expect((await call(site, 'DELETE', path, { as })).status).toBe(204)
      const left = { memberId: inTeam.account.id, member: inTeam.name }
      expect(await eventsFor(org.id, 'org.member_removed')).toEqual([
        { actor_id: as.account.id, repository_id: null, data: left },
      ])
      const reported = await eventsFor(org.id, 'collaborator.removed')
      expect(reported).toHaveLength(2)
      expect(reported).toEqual(
        expect.arrayContaining(shared.map(repository => ended(repository, inTeam, as))),
      )
    },
  )
})

describe('the events of an account', () => {
  it('include each collaboration ended by a block, in either direction', async () => {
    const [ada, bob] = [await makePerson(site), await makePerson(site)]
    const [hers, his] = [await share(ada.account.id, bob), await share(bob.account.id, ada)]
    expect((await call(site, 'PUT', `/user/blocks/${bob.name}`, { as: ada })).status).toBe(204)
    expect(await eventsFor(ada.account.id, 'collaborator.removed')).toEqual([ended(hers, bob, ada)])
    expect(await eventsFor(bob.account.id, 'collaborator.removed')).toEqual([ended(his, ada, ada)])
  })

  it('include a collaboration that ends when the collaborator’s account is deleted, no matter who owns the repository', async () => {
    const [ada, bob, root] = [
      await makePerson(site),
      await makePerson(site),
      await makePerson(site, { is_admin: true }),
    ]
    const hers = await share(ada.account.id, bob)
    expect((await call(site, 'DELETE', `/admin/users/${bob.name}`, { as: root })).status).toBe(204)
    expect(await eventsFor(ada.account.id, 'collaborator.removed')).toEqual([ended(hers, bob, root)])
  })

  it('include collaborations that end when an organization blocks the collaborator', async () => {
    const [owner, bob] = [await makePerson(site), await makePerson(site)]
    const org = await makeOrg(site.db, owner.account.id)
    const ours = await share(org.id, bob)
    expect((await call(site, 'PUT', `/orgs/${org.name}/blocks/${bob.name}`, { as: owner })).status).toBe(204)
    expect(await eventsFor(org.id, 'collaborator.removed')).toEqual([ended(ours, bob, owner)])
  })
})
