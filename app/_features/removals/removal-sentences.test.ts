import { describe, expect, it } from 'vitest'
import type { RemovalEffects, RemovalTarget } from '@/server/removals/schema'
import { removalSentences } from './removal-sentences'

const ended = (...names: string[]) => ({ total: names.length, names })
const nothing: RemovalEffects = {
  people: ended(),
  members: ended(),
  organizations: ended(),
  teams: ended(),
  collaborations: ended(),
  repositories: ended(),
}
const fromTeam = { kind: 'team', id: 1, username: 'elif' } as const

describe('what a removal ends is said', () => {
  it('of somebody who stays in another team: that team only', () => {
    expect(removalSentences(fromTeam, { ...nothing, teams: ended('docs') }, false)).toEqual([
      'They leave 1 team: docs.',
    ])
  })

  it('of the last team, to the person who leaves', () => {
    const all = {
      members: ended(),
      people: ended('elif'),
      organizations: ended('acme'),
      teams: ended('docs'),
      collaborations: ended('acme/guide', 'acme/handbook'),
      repositories: { total: 14, names: ['acme/guide', 'acme/plans'] },
    }
    expect(removalSentences(fromTeam, all, true)).toEqual([
      'You leave 1 team: docs.',
      'With that you leave 1 organization: acme.',
      'You are no longer a collaborator on 2 repositories: acme/guide, acme/handbook. Being added to a team again does not bring that back.',
      'You lose all access to 14 repositories: acme/guide, acme/plans and 12 more.',
    ])
  })

  it('of somebody who has left already: that nothing is left to end', () => {
    expect(removalSentences(fromTeam, nothing, false)).toEqual(['They are not in this team anymore.'])
    const fromOrg = { kind: 'organization', org: 'acme', username: 'elif' } as const
    expect(removalSentences(fromOrg, nothing, true)).toEqual(['You are not in acme anymore.'])
  })

  it('of several people: who leaves, and what ends with it', () => {
    const usernames = ['ada', 'ben']
    const severalFromTeam = { kind: 'teamMembers', id: 1, usernames } as const
    const severalFromOrg = { kind: 'organizationMembers', org: 'acme', usernames } as const
    for (const target of [severalFromTeam, severalFromOrg]) {
      expect(removalSentences(target, nothing, false)).toEqual([
        `None of them is in ${target === severalFromTeam ? 'this team' : 'acme'} anymore.`,
      ])
    }
    const effects = { ...nothing, members: ended('ada', 'ben'), people: ended('ben'), teams: ended('docs') }
    expect(removalSentences(severalFromTeam, effects, false)).toEqual([
      '2 people leave the team: ada, ben.',
      '1 person is in no other team and leaves the organization with it: ben.',
    ])
    expect(removalSentences(severalFromOrg, effects, false)).toEqual([
      '1 person leaves the organization: ben.',
      'With that they leave 1 team: docs.',
    ])
  })

  it('of a deleted account: what it had, and nothing of coming back', () => {
    const target = { kind: 'deletedUser', username: 'elif' } as const
    expect(removalSentences(target, nothing, false)).toEqual([])
    expect(removalSentences(target, { ...nothing, collaborations: ended('acme/guide') }, false)).toEqual([
      'They are no longer a collaborator on 1 repository: acme/guide.',
    ])
  })

  const deleted = { kind: 'deletedTeam', id: 1 } as const
  const members = ended('ada', 'ben')
  const repositories = ended('acme/plans')
  const loses = '2 members lose at once what only this team gives them: ada, ben.'
  const ends = 'The team’s access to 1 repository ends: acme/plans.'
  it.each([
    ['nobody and nothing', {}, ['The team has no members.']],
    ['repositories alone', { repositories }, ['The team has no members.', ends]],
    ['members alone', { members }, [loses, 'Nobody leaves the organization with it.']],
    ['both', { members, repositories }, [loses, 'Nobody leaves the organization with it.', ends]],
    [
      'one member who leaves with it',
      { members: ended('ada'), people: ended('ada') },
      [
        '1 member loses at once what only this team gives them: ada.',
        '1 person is in no other team and leaves the organization with it: ada.',
      ],
    ],
    [
      'members who leave with it',
      {
        members: ended('ada'),
        people: { total: 22, names: ['ada', 'ben'] },
        collaborations: ended('acme/guide'),
        repositories,
      },
      [
        '1 member loses at once what only this team gives them: ada.',
        '22 people are in no other team and leave the organization with it: ada, ben and 20 more.',
        'With that they are no longer collaborators on 1 repository: acme/guide.',
        ends,
      ],
    ],
  ])('of a deleted team with %s', (_, had, sentences) => {
    expect(removalSentences(deleted, { ...nothing, teams: ended('docs'), ...had }, false)).toEqual(sentences)
  })

  it('of several deleted teams: which, and what ends with them', () => {
    const target: RemovalTarget = { kind: 'deletedTeams', org: 'acme', ids: [1, 2] }
    expect(removalSentences(target, nothing, false)).toEqual(['None of these teams is there anymore.'])
    const teams = ended('docs', 'web')
    expect(removalSentences(target, { ...nothing, teams }, false)).toEqual([
      '2 teams are deleted: docs, web.',
      'Nobody is in them.',
    ])
    const had = { ...nothing, teams, members, people: ended('ada'), repositories }
    expect(removalSentences(target, had, false)).toEqual([
      '2 teams are deleted: docs, web.',
      '2 members lose at once what only these teams give them: ada, ben.',
      '1 person is in no other team and leaves the organization with it: ada.',
      'Their access to 1 repository ends: acme/plans.',
    ])
  })

  it('of a deleted organization', () => {
    const target = { kind: 'deletedOrganization', org: 'acme' } as const
    const had = { ...nothing, teams: ended('Owners'), people: ended('ada'), organizations: ended('acme') }
    expect(removalSentences(target, had, false)).toEqual([
      '1 team is deleted: Owners.',
      '1 person loses membership: ada.',
    ])
  })

  it('of a block, and what unblocking does not give back where anything ends', () => {
    const target = { kind: 'block', username: 'eve' } as const
    const offers = 'Transfers of repositories that wait between the two are canceled.'
    expect(removalSentences(target, nothing, false)).toEqual(['Nobody loses access to a repository.', offers])
    expect(removalSentences(target, { ...nothing, collaborations: ended('eve/cave') }, false)).toEqual([
      'Collaboration on 1 repository ends: eve/cave. Unblocking does not give it back.',
      offers,
    ])
  })
})
