import { describe, expect, it } from 'vitest'
import { makeRepository } from '@/db/testing/factories'
import { signIn } from '@/testing/browser'
import { makePerson } from '@/testing/people'
import { useSite } from '@/testing/site'
import { makeTeamCast } from '@/testing/team-cast'

const site = useSite()

describe('a procedure with invalid input', () => {
  it('reports a missing permission to users without the role, and the invalid input to owners', async () => {
    const { owner, outsider, inTeam, org, team } = await makeTeamCast(site)
    const { name: repo } = await makeRepository(site.db, org.id, { is_private: true })
    const wrong = {
      name: 5,
      changes: 5,
      expected: 5,
      q: 5,
      permission: 5,
      collaborator: 5,
      new_name: 5,
      description: 5,
    }
    const ofTeam = { ...wrong, id: team.id }
    const ofOrg = { ...wrong, org: org.name }
    const ofRepository = { ...wrong, owner: org.name, repo }
    const calls = [
      ['teams.edit', ofTeam, 'notFound'],
      ['teams.save', ofTeam, 'notFound'],
      ['teams.setPermissions', ofTeam, 'notFound'],
      ['teams.create', ofOrg, 'forbidden'],
      ['orgs.edit', ofOrg, 'forbidden'],
      ['orgs.save', ofOrg, 'forbidden'],
      ['orgs.rename', ofOrg, 'forbidden'],
      ['repos.createInOrg', ofOrg, 'forbidden'],
      ['repos.edit', ofRepository, 'notFound'],
      ['repos.save', ofRepository, 'notFound'],
      ['repos.collaborators.add', ofRepository, 'notFound'],
    ] as const
    const [owning, outside, inside] = [
      await signIn(site, owner),
      await signIn(site, outsider),
      await signIn(site, inTeam),
    ]
    for (const [procedure, input, toOutsiders] of calls) {
      expect((await outside.mutate(procedure, input)).error?.data.kind, procedure).toBe(toOutsiders)
      if (!procedure.startsWith('repos.') || procedure === 'repos.createInOrg') {
        expect((await inside.mutate(procedure, input)).error?.data.kind, procedure).toBe('forbidden')
      }
      expect((await owning.mutate(procedure, input)).error?.data.kind, procedure).toBe('invalid')
    }
  })

  it('reports a missing object before the invalid input', async () => {
    const browser = await signIn(site, await makePerson(site, { is_admin: true }))
    const calls = [
      ['teams.edit', { id: 99_999_999, name: 5 }],
      ['orgs.edit', { org: 'nobody-has-this-name', full_name: 5 }],
      ['repos.edit', { owner: 'nobody-has-this-name', repo: 'x', name: 5 }],
      ['users.edit', { username: 'nobody-has-this-name', full_name: 5 }],
      ['users.save', { username: 'nobody-has-this-name', changes: 5 }],
    ] as const
    for (const [procedure, input] of calls) {
      expect((await browser.mutate(procedure, input)).error?.data.kind, procedure).toBe('notFound')
    }
  })
})
