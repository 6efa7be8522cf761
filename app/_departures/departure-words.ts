import type { DepartureEffects, WayOut } from '@/server/departures/schema'

type Ended = DepartureEffects['teams']

/** What a way out ends, a sentence each; `isOwn` speaks to the person who leaves. */
export function departureSentences(wayOut: WayOut, departure: DepartureEffects, isOwn: boolean): string[] {
  const { people, organizations, teams, collaborations, repositories } = departure
  const who = isOwn ? 'You' : 'They'
  switch (wayOut.way) {
    case 'organization':
    case 'team':
    case 'deletedUser':
      return [
        ...told(teams, (count, names) => `${who} leave ${count(['team', 'teams'])}: ${names}.`),
        ...told(
          organizations,
          (count, names) =>
            `With that ${who.toLowerCase()} leave ${count(['organization', 'organizations'])}: ${names}.`,
        ),
        ...told(
          collaborations,
          (count, names) =>
            `${who} are no longer a collaborator on ${count(['repository', 'repositories'])}: ${names}.`,
        ),
        ...told(
          repositories,
          (count, names) => `${who} lose all access to ${count(['repository', 'repositories'])}: ${names}.`,
        ),
      ]
    case 'deletedTeam':
      return [
        ...told(
          people,
          (count, names) =>
            `${count(['person is', 'people are'])} in no other team and leave the organization with it: ${names}.`,
        ),
        ...told(
          collaborations,
          (count, names) =>
            `They are no longer collaborators on ${count(['repository', 'repositories'])}: ${names}.`,
        ),
        ...told(
          repositories,
          (count, names) =>
            `Nobody has access through the team any more to ${count(['repository', 'repositories'])}: ${names}.`,
        ),
        ...(people.total === 0 ? ['Nobody leaves the organization with it.'] : []),
      ]
    case 'deletedOrganization':
      return [
        ...told(teams, (count, names) => `${count(['team is', 'teams are'])} deleted: ${names}.`),
        ...told(people, (count, names) => `${count(['person loses', 'people lose'])} membership: ${names}.`),
      ]
    case 'block':
    case 'organizationBlock':
      return collaborations.total === 0
        ? ['No access to a repository ends by this.']
        : told(
            collaborations,
            (count, names) => `Collaboration on ${count(['repository', 'repositories'])} ends: ${names}.`,
          )
  }
}

type Counted = (words: [one: string, many: string]) => string

function told({ total, names }: Ended, sentence: (count: Counted, names: string) => string): string[] {
  if (total === 0) return []
  const count: Counted = ([one, many]) =>
    total === 1 ? `1 ${one}` : `${total.toLocaleString('en-US')} ${many}`
  const more = total - names.length
  const list = more > 0 ? `${names.join(', ')} and ${more.toLocaleString('en-US')} more` : names.join(', ')
  return [sentence(count, list)]
}
