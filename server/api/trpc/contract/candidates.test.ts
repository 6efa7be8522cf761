import { describe, expect, it } from 'vitest'
import { addToTeam, attach, makeRepository, makeTeam } from '@/db/testing/factories'
import type { TeamCandidate } from '@/server/teams/schema'
import type { Candidate } from '@/server/users/schema'
import { type Browser, signIn } from '@/testing/browser'
import { makePerson, type Person } from '@/testing/people'
import { useSite } from '@/testing/site'
import { makeTeamCast } from '@/testing/team-cast'

const site = useSite()

async function block(blocker: number, blocked: Person): Promise<void> {
  const row = { blocker_id: blocker, blocked_id: blocked.account.id, note: '' }
  await site.db.insertInto('user_blocks').values(row).execute()
}

const obstacle = async (browser: Browser, procedure: string, input: object, person: Person) => {
  const { data } = await browser.query(procedure, { ...input, q: person.name })
  return (data as Candidate[]).find(({ user }) => user.login === person.name)?.obstacle
}

describe('listing candidates', () => {
  it('for a team marks members, and users blocked by or blocking the organization or its owner', async () => {
    const { owner, inTeam, member, outsider, org, team, root } = await makeTeamCast(site)
    const [blocksOwner, other] = [await makePerson(site), await makePerson(site)]
    await block(org.id, outsider)
    await block(org.id, root)
    await block(blocksOwner.account.id, owner)
    const browser = await signIn(site, owner)
    const reported = (person: Person) => obstacle(browser, 'teams.listCandidates', { id: team.id }, person)
    expect(await reported(inTeam)).toBe('member')
    expect(await reported(member)).toBeNull()
    expect(await reported(other)).toBeNull()
    expect(await reported(outsider)).toBe('blocked')
    expect(await reported(blocksOwner)).toBe('blocked')
    // Site administrators cannot be blocked.
    expect(await reported(root)).toBeNull()
    const stranger = await signIn(site, other)
    expect((await stranger.query('teams.listCandidates', { id: team.id, q: 'x' })).status).toBe(404)
    const inside = await signIn(site, inTeam)
    expect((await inside.query('teams.listCandidates', { id: team.id, q: 'x' })).status).toBe(403)
  })

  it('for a repository marks the owner, collaborators, and blocked users', async () => {
    const [owner, collaborator, blocked, free] = [
      await makePerson(site),
      await makePerson(site),
      await makePerson(site),
      await makePerson(site),
    ]
    const { id, name } = await makeRepository(site.db, owner.account.id)
    const grant = { repository_id: id, user_id: collaborator.account.id, mode: 'read' } as const
    await site.db.insertInto('repository_collaborators').values(grant).execute()
    await block(owner.account.id, blocked)
    const browser = await signIn(site, owner)
    const path = { owner: owner.name, repo: name }
    const reported = (person: Person) => obstacle(browser, 'repos.collaborators.listCandidates', path, person)
    expect(await reported(owner)).toBe('owner')
    expect(await reported(collaborator)).toBe('collaborator')
    expect(await reported(blocked)).toBe('blocked')
    expect(await reported(free)).toBeNull()
    const stranger = await signIn(site, free)
    const refused = await stranger.query('repos.collaborators.listCandidates', { ...path, q: 'x' })
    expect(refused.status).toBe(403)
  })

  it('for a repository’s teams marks teams that have it, also for an administrator allowed to change teams', async () => {
    const { owner, outsider, inTeam, org, team } = await makeTeamCast(site)
    const repository = await makeRepository(site.db, org.id)
    const grant = { repository_id: repository.id, user_id: outsider.account.id, mode: 'admin' } as const
    await site.db.insertInto('repository_collaborators').values(grant).execute()
    const other = await makeTeam(site.db, org.id)
    await attach(site.db, other, repository.id)
    const input = { owner: org.name, repo: repository.name, q: '' }
    const as = async (person: Person, q = '') =>
      (await signIn(site, person)).query('teams.listCandidatesOfRepository', { ...input, q })
    const reported = ({ data }: Awaited<ReturnType<typeof as>>) =>
      Object.fromEntries((data as TeamCandidate[]).map(found => [found.team.name, found.obstacle]))
    const all = { Owners: 'attached', [team.name]: null, [other.name]: 'attached' }
    expect(reported(await as(owner))).toEqual(all)
    expect(reported(await as(owner, other.name.toUpperCase()))).toEqual({ [other.name]: 'attached' })
    expect([(await as(outsider)).status, (await as(inTeam)).status]).toEqual([403, 403])
    const change = { repo_admin_change_team_access: true }
    await site.db.updateTable('users').set(change).where('id', '=', org.id).execute()
    expect(reported(await as(outsider))).toEqual(all)
  })

  it('for a repository’s teams returns the first matches by name, however many teams exist', async () => {
    const { owner, org } = await makeTeamCast(site)
    const repository = await makeRepository(site.db, org.id, { is_private: true })
    for (let index = 10; index < 35; index++) await makeTeam(site.db, org.id, { name: `crew-${index}` })
    const browser = await signIn(site, owner)
    const found = async (q: string) => {
      const input = { owner: org.name, repo: repository.name, q }
      const { data } = await browser.query('teams.listCandidatesOfRepository', input)
      return (data as TeamCandidate[]).map(({ team }) => team.name)
    }
    expect(await found('CREW')).toEqual(Array.from({ length: 20 }, (_, index) => `crew-${10 + index}`))
    expect(await found('crew-34')).toEqual(['crew-34'])
  })

  it('for a block marks the caller, users already blocked, and members of the blocking organization', async () => {
    const { owner, inTeam, outsider, org, team } = await makeTeamCast(site)
    const other = await makePerson(site)
    await addToTeam(site.db, team, other.account.id)
    await block(org.id, outsider)
    const browser = await signIn(site, owner)
    const forOrg = (person: Person) => obstacle(browser, 'blocks.listCandidates', { org: org.name }, person)
    expect(await forOrg(owner)).toBe('self')
    expect(await forOrg(inTeam)).toBe('member')
    expect(await forOrg(outsider)).toBe('blocked')
    expect(await obstacle(browser, 'blocks.listCandidates', {}, inTeam)).toBeNull()
  })
})

describe('a candidate search by email address', () => {
  it('finds users who show the complete address, but no one by a hidden or partial address', async () => {
    const owner = await makePerson(site)
    const [shows, hides] = [
      await makePerson(site, { email: 'Shown.Address@mail.test' }),
      await makePerson(site, { email: 'hidden.address@mail.test', hide_email: true }),
    ]
    const browser = await signIn(site, owner)
    const found = async (q: string) =>
      ((await browser.query('blocks.listCandidates', { q })).data as Candidate[]).map(
        ({ user }) => user.login,
      )
    expect(await found('shown.address@mail.test')).toEqual([shows.name])
    expect(await found('shown.address@')).toEqual([])
    expect(await found('hidden.address@mail.test')).toEqual([])
    expect(hides.name).not.toBe('')
  })
})
