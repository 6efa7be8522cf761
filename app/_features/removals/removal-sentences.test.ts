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

describe('removalSentences', () => {
  it('names only the team that a person leaves if they remain in another one', () => {
    expect(removalSentences(fromTeam, { ...nothing, teams: ended('docs') }, false)).toEqual([
      'They’ll leave 1 team: docs.',
    ])
  })

  it('lists everything that the viewer loses by leaving their last team', () => {
    const all = {
      members: ended(),
      people: ended('elif'),
      organizations: ended('acme'),
      teams: ended('docs'),
      collaborations: ended('acme/guide', 'acme/handbook'),
      repositories: { total: 14, names: ['acme/guide', 'acme/plans'] },
    }
    expect(removalSentences(fromTeam, all, true)).toEqual([
      'You’ll leave 1 team: docs.',
      'You’ll also leave 1 organization: acme.',
      'You’ll lose collaborator access to 2 repositories: acme/guide, acme/handbook. Being added to a team again won’t restore it.',
      'You’ll lose all access to 14 repositories: acme/guide, acme/plans and 12 more.',
    ])
  })

  it('says that a person is no longer in the team or organization if they have already left it', () => {
    expect(removalSentences(fromTeam, nothing, false)).toEqual(['They are no longer in this team.'])
    const fromOrg = { kind: 'organization', org: 'acme', username: 'elif' } as const
    expect(removalSentences(fromOrg, nothing, true)).toEqual(['You are no longer in acme.'])
  })

  it('names the people who leave and the teams they lose if several people are removed', () => {
    const usernames = ['ada', 'ben']
    const severalFromTeam = { kind: 'teamMembers', id: 1, usernames } as const
    const severalFromOrg = { kind: 'organizationMembers', org: 'acme', usernames } as const
    for (const target of [severalFromTeam, severalFromOrg]) {
      expect(removalSentences(target, nothing, false)).toEqual([
        `These people are no longer in ${target === severalFromTeam ? 'this team' : 'acme'}.`,
      ])
    }
    const effects = { ...nothing, members: ended('ada', 'ben'), people: ended('ben'), teams: ended('docs') }
    expect(removalSentences(severalFromTeam, effects, false)).toEqual([
      '2 people will leave the team: ada, ben.',
      '1 person isn’t in any other team and will also leave the organization: ben.',
    ])
    expect(removalSentences(severalFromOrg, effects, false)).toEqual([
      '1 person will leave the organization: ben.',
      'They’ll also leave 1 team: docs.',
    ])
  })

  it('lists what a deleted account loses, without a note about being added again', () => {
    const target = { kind: 'deletedUser', username: 'elif' } as const
    expect(removalSentences(target, nothing, false)).toEqual([])
    expect(removalSentences(target, { ...nothing, collaborations: ended('acme/guide') }, false)).toEqual([
      'They’ll lose collaborator access to 1 repository: acme/guide.',
    ])
  })

  const deleted = { kind: 'deletedTeam', id: 1 } as const
  const members = ended('ada', 'ben')
  const repositories = ended('acme/plans')
  const loses = '2 members will immediately lose the access that only this team gives them: ada, ben.'
  const ends = 'The team’s access to 1 repository will end: acme/plans.'
  it.each([
    ['no members and no repositories', {}, ['The team has no members.']],
    ['only repositories', { repositories }, ['The team has no members.', ends]],
    ['only members', { members }, [loses, 'No one will leave the organization.']],
    [
      'members and repositories',
      { members, repositories },
      [loses, 'No one will leave the organization.', ends],
    ],
    [
      'one member, who also leaves the organization',
      { members: ended('ada'), people: ended('ada') },
      [
        '1 member will immediately lose the access that only this team gives them: ada.',
        '1 person isn’t in any other team and will also leave the organization: ada.',
      ],
    ],
    [
      'repositories, and members who also leave the organization',
      {
        members: ended('ada'),
        people: { total: 22, names: ['ada', 'ben'] },
        collaborations: ended('acme/guide'),
        repositories,
      },
      [
        '1 member will immediately lose the access that only this team gives them: ada.',
        '22 people aren’t in any other team and will also leave the organization: ada, ben and 20 more.',
        'They’ll also lose collaborator access to 1 repository: acme/guide.',
        ends,
      ],
    ],
  ])('lists the effects of deleting a team with %s', (_, had, sentences) => {
    expect(removalSentences(deleted, { ...nothing, teams: ended('docs'), ...had }, false)).toEqual(sentences)
  })

  it('names several deleted teams and lists what their members and the teams lose', () => {
    const target: RemovalTarget = { kind: 'deletedTeams', org: 'acme', ids: [1, 2] }
    expect(removalSentences(target, nothing, false)).toEqual(['These teams have already been deleted.'])
    const teams = ended('docs', 'web')
    expect(removalSentences(target, { ...nothing, teams }, false)).toEqual([
      '2 teams will be deleted: docs, web.',
      'They have no members.',
    ])
    const had = { ...nothing, teams, members, people: ended('ada'), repositories }
    expect(removalSentences(target, had, false)).toEqual([
      '2 teams will be deleted: docs, web.',
      '2 members will immediately lose the access that only these teams give them: ada, ben.',
      '1 person isn’t in any other team and will also leave the organization: ada.',
      'The teams will lose access to 1 repository: acme/plans.',
    ])
  })

  it('names the teams and members that a deleted organization had', () => {
    const target = { kind: 'deletedOrganization', org: 'acme' } as const
    const had = { ...nothing, teams: ended('Owners'), people: ended('ada'), organizations: ended('acme') }
    expect(removalSentences(target, had, false)).toEqual([
      '1 team will be deleted: Owners.',
      '1 person will lose membership: ada.',
    ])
  })

  it('says that unblocking does not restore the collaborator access that a block ends', () => {
    const target = { kind: 'block', username: 'eve' } as const
    const offers = 'Pending repository transfers between the two accounts will be canceled.'
    expect(removalSentences(target, nothing, false)).toEqual([
      'No one will lose access to any repositories.',
      offers,
    ])
    expect(removalSentences(target, { ...nothing, collaborations: ended('eve/cave') }, false)).toEqual([
      'Collaborator access to 1 repository will end: eve/cave. Unblocking won’t restore it.',
      offers,
    ])
  })
})
