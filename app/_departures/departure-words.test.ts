import { describe, expect, it } from 'vitest'
import type { DepartureEffects } from '@/server/departures/schema'
import { departureSentences } from './departure-words'

const ended = (...names: string[]) => ({ total: names.length, names })
const nothing: DepartureEffects = {
  people: ended(),
  organizations: ended(),
  teams: ended(),
  collaborations: ended(),
  repositories: ended(),
}
const fromTeam = { way: 'team', id: 1, username: 'elif' } as const

describe('what a way out ends is said', () => {
  it('of somebody who stays in another team: that team only', () => {
    expect(departureSentences(fromTeam, { ...nothing, teams: ended('docs') }, false)).toEqual([
      'They leave 1 team: docs.',
    ])
  })

  it('of the last team, to the person who leaves', () => {
    const all = {
      people: ended('elif'),
      organizations: ended('acme'),
      teams: ended('docs'),
      collaborations: ended('acme/guide', 'acme/handbook'),
      repositories: { total: 14, names: ['acme/guide', 'acme/plans'] },
    }
    expect(departureSentences(fromTeam, all, true)).toEqual([
      'You leave 1 team: docs.',
      'With that you leave 1 organization: acme.',
      'You are no longer a collaborator on 2 repositories: acme/guide, acme/handbook.',
      'You lose all access to 14 repositories: acme/guide, acme/plans and 12 more.',
    ])
  })

  it('of a team that is deleted, with who leaves', () => {
    const way = { way: 'deletedTeam', id: 1 } as const
    expect(departureSentences(way, { ...nothing, teams: ended('docs') }, false)).toEqual([
      'Nobody leaves the organization with it.',
    ])
    const people = { total: 22, names: ['ada', 'ben'] }
    const some = { ...nothing, people, repositories: ended('acme/plans') }
    expect(departureSentences(way, some, false)).toEqual([
      '22 people are in no other team and leave the organization with it: ada, ben and 20 more.',
      'Nobody has access through the team any more to 1 repository: acme/plans.',
    ])
  })

  it('of a block that ends nothing', () => {
    expect(departureSentences({ way: 'block', username: 'eve' }, nothing, false)).toEqual([
      'No access to a repository ends by this.',
    ])
  })
})
